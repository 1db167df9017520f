// Event handlers.
const state = { cut: Cut.asAnswered(), assessed: data.assessed, chosen: null };
startSlider();
startFinding();
startCorrecting();
byId("unpacking")?.remove();
document.documentElement.dataset.ready = "true";
