/* Sets the chosen theme before the first paint, so that nothing flashes. */
try {
  const theme = localStorage.getItem("geoswap.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's theme it is.
}
