// Event handlers.
const state = { cut: Cut.asAnswered(), told: data.told, chosen: null };
startSlider();
startFinding();
startCorrecting();
state.cut.members.forEach((_, node) => dress(node));
document.documentElement.dataset.ready = "true";
