/* Sets the stored theme before the first paint to avoid a flash. */
try {
  const theme = localStorage.getItem("geoswap.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked, so the system theme is used.
}
