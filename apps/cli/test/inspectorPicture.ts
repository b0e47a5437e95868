/** Draws the inspector's list of tools as a terminal, for docs/images/inspector.svg. */

/** A tool, as the inspector prints it. */
export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
  readonly inputSchema: { readonly required: ReadonlyArray<string> }
  readonly outputSchema?: object
}

const command = [
  "$ npx @modelcontextprotocol/inspector --cli geoswap mcp --method tools/list |",
  `    jq -r '.tools[] | [.name, .title, (.annotations | if .readOnlyHint then "read-only" elif .destructiveHint`,
  `    then "destructive, idempotent" else "idempotent" end), (.inputSchema.required | join(" "))] | @tsv' | column -t -s $'\\t'`
]

const hintsOf = ({ destructiveHint, readOnlyHint }: ListedTool["annotations"]): string =>
  readOnlyHint ? "read-only" : destructiveHint ? "destructive, idempotent" : "idempotent"

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const columnsOf = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const width = 1040
const lineHeight = 18
const top = 50

/** Draws the command and what it prints. */
export const drawTools = (tools: ReadonlyArray<ListedTool>): string => {
  const lines = columnsOf(
    tools.map(({ annotations, inputSchema, name, title }) => [
      name,
      title,
      hintsOf(annotations),
      inputSchema.required.join(" ")
    ])
  )
  const listTop = top + command.length * lineHeight + 12
  const height = listTop + lines.length * lineHeight + 10
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (color, at) => `<circle cx="${20 + at * 18}" cy="18" r="5" fill="${color}"/>`
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The MCP inspector lists the tools of geoswap mcp">`,
    `<rect width="100%" height="100%" rx="8" fill="#14161b"/>`,
    ...dots,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#d7dae0" xml:space="preserve">`,
    ...command.map(
      (line, at) =>
        `<text x="20" y="${top + at * lineHeight}" fill="#ffffff" font-weight="bold" xml:space="preserve">${escape(line)}</text>`
    ),
    ...lines.map((line, at) => {
      const { length } = tools[at]?.name ?? ""
      return `<text x="20" y="${listTop + at * lineHeight}" xml:space="preserve"><tspan fill="#8bd49c">${escape(line.slice(0, length))}</tspan>${escape(line.slice(length))}</text>`
    }),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}
