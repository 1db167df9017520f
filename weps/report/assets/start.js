// Event handlers.
const state = { cut: Cut.asAnswered(), told: data.told, chosen: null };
startSlider();
startFinding();
startCorrecting();
byId("unpacking")?.remove();
document.documentElement.dataset.ready = "true";
