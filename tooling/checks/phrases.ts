/**
 * Phrases that must not occur in our text, each with its replacement. The list catches regressions. It is not a style
 * guide.
 */

interface Phrase {
  readonly pattern: RegExp
  readonly instead: string
  /** If present, the phrase is forbidden only in files whose path matches. */
  readonly only?: RegExp
}

const phrases: ReadonlyArray<Phrase> = [
  { pattern: /\btells\b(?!(?: \S+){0,3} apart)/i, instead: "reports, lists, shows, prints or returns" },
  { pattern: /\b(?:is|are|was|were|be|been) told\b(?! apart)|\btold of\b/i, instead: "is reported; gets; receives" },
  {
    pattern: /\bwhere absent\b|\bwhere not\b(?! (?:exists|null|in)\b)/i,
    instead: "if omitted (default: …); otherwise"
  },
  { pattern: /\bwhere there (?:is|are|was|were) (?:no|none|nothing)\b/i, instead: "if there is no …" },
  { pattern: /\bwhere (?:it|they) (?:is|are|has|have) none\b/i, instead: "if it is not one; otherwise" },
  { pattern: /\b(?:be it|anew|amid|as ever|in vain)\b/i, instead: "even if; again; during; as usual; without effect" },
  { pattern: /\bfrom then on\b/i, instead: "from that point on" },
  {
    pattern: /\b(?:for|waits?|lasts?) so long\b(?! as\b| that\b)|\bso many\b(?! \w+ that\b)/i,
    instead: "for that long; that many"
  },
  { pattern: /(?<!\bthere )\b(?:is|are) none\b(?! of\b)/i, instead: "is not one" },
  {
    pattern:
      /(?<!\b(?:there|here) )\bis no (?!(?:longer|more|less|better|worse|different|other|later|earlier|reason|such)\b)[a-z]+/i,
    instead: "is not a …; there is no …"
  },
  { pattern: /\bmakes? no sense\b/i, instead: "is invalid: expected …, got …" },
  { pattern: /\bshould be [^.;"`]{1,60}?,? and is\b/i, instead: "expected X, got Y" },
  {
    pattern: /\b(?:whoever|nobody|somebody)\b/i,
    instead: "the caller, the service, the operator, the user; no process"
  },
  { pattern: /\bwhatever (?:dies|fails|happens|comes|runs)\b/i, instead: "even if …; any …" },
  { pattern: /\bin (?:words|the words of|the same words|other words than)\b/i, instead: "as a message; as text" },
  { pattern: /\b(?:goes|gone|went) on\b(?! (?:to|sale)\b)/i, instead: "continues; resumes" },
  { pattern: /\bbegun\b/i, instead: "started" },
  { pattern: /\bcounts as\b/i, instead: "is treated as" },
  { pattern: /\bby itself\b|\bof its own accord\b/i, instead: "automatically" },
  { pattern: /\bof (?:its|their) own\b/i, instead: "its own …; separate; dedicated" },
  { pattern: /\bit is asked whether\b/i, instead: "checks whether" },
  { pattern: /\bgives whether\b/i, instead: "returns whether" },
  {
    pattern: /\b(?:is|are|was|were) to be (?:\w+ed|signed|sent|paid|done|had|made|let|shown|kept)\b/i,
    instead: "must be …; the … to sign"
  },
  { pattern: /\bwithout a word\b|\bsays no word\b/i, instead: "silently" },
  { pattern: /\bwithout a look\b|\bwithout its looks\b/i, instead: "from the cache; headless" },
  { pattern: /\b(?:ran|runs) out\b(?! of\b)/i, instead: "expires; is used up" },
  { pattern: /\bis deaf\b/i, instead: "does not receive notifications" },
  { pattern: /\b(?:patience|turmoil|logbook)\b/i, instead: "timeout or retry; faults; activity" },
  { pattern: /\bbook of what\b/i, instead: "runbook" },
  { pattern: /\byou said no\b/i, instead: "Cancelled." },
  { pattern: /\d %(?![\s\w(]*[=;)])/, instead: "no space before %", only: /\.md$/ }
]

const covered = /\.(?:tsx?|js|md|sol)$/
const excluded = /(?:^|\/)(?:CHANGELOG\.md$|generated\/|vendor(?:ed)?\/|\.changeset\/)|^tooling\/checks\/phrases\.ts$/

/**
 * Joins a text into one line, so phrases are found across line breaks, and records the offset at which each line
 * starts.
 */
const flatten = (text: string) => {
  const starts: Array<number> = []
  let flat = ""
  for (const line of text.split("\n")) {
    starts.push(flat.length)
    flat += `${line.replace(/^\s*(?:\/\*\*|\/{2,3}|\*\/?|>)?\s*/, "").trimEnd()} `
  }
  return { flat, lineAt: (offset: number) => starts.findLastIndex((start) => start <= offset) + 1 }
}

/** Finds the phrases in one file, each with its line and its replacement. */
export const findPhrases = (path: string, text: string): ReadonlyArray<string> => {
  if (!covered.test(path) || excluded.test(path)) return []
  const { flat, lineAt } = flatten(text)
  return phrases
    .filter(({ only }) => only === undefined || only.test(path))
    .flatMap(({ instead, pattern }) =>
      [...flat.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ 0: found, index }) => ({
        line: lineAt(index),
        problem: `"${found.trim()}" is not plain English: write "${instead}"`
      }))
    )
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, problem }) => `${path}:${line}: ${problem}`)
}
