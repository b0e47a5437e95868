/** The reference page's styles, and their hash for the content security policy. */

export const styles = `
:root { --text: #1b1f24; --muted: #57606a; --back: #ffffff; --panel: #f6f8fa; --line: #d0d7de; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --muted: #9da7b1; --back: #0d1117; --panel: #161b22; --line: #30363d; --link: #79c0ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 6rem; color: var(--text); background: var(--back);
  font: 1rem/1.6 system-ui, sans-serif; }
h1 small, nav li { color: var(--muted); }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.5rem; }
a { color: var(--link); }
code { font: 0.9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { padding: 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
pre code { overflow-wrap: normal; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
th { background: var(--panel); }
`

/** The SHA-256 hash of the styles. */
export const stylesHash = "sha256-vlBz21rXcQN9+tAfW1ZvnjOXjwCBrqIe7K1C/uC2fRM="
