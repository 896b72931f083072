// Runs before the first paint, so that a chosen theme does not flash; the system's theme holds until one is chosen.
(function () {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  } catch (error) {
    // storage may be closed to the page: the system's theme then
  }
})();
