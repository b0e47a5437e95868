/** The headings and links of Markdown files, as GitHub shows them. */

/** The anchor of a heading. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-")

/** The lines outside fenced code. The lines of code are empty, so that line numbers stay the same. */
const withoutCode = (markdown: string): ReadonlyArray<string> => {
  let fence = ""
  return markdown.split("\n").map((line) => {
    const [, mark = "", info = ""] = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    const isText = fence === "" && mark === ""
    if (fence === "") fence = mark
    else if (mark.startsWith(fence) && info.trim() === "") fence = ""
    return isText ? line : ""
  })
}

/** The anchors of all headings. A repeated heading gets a number. */
export const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const line of withoutCode(markdown)) {
    const [, heading] = /^#{1,6}\s+(.+?)\s*#*$/.exec(line) ?? []
    if (heading === undefined) continue
    const slug = slugOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"))
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** The targets of all links and images, each with its line. The first line is line 1. */
export const linksOf = (markdown: string): ReadonlyArray<{ readonly line: number; readonly link: string }> =>
  withoutCode(markdown).flatMap((line, index) =>
    [...line.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => ({
      line: index + 1,
      link
    }))
  )
