/** The parts of the long tests, which `npm test` does not run. Each takes at most two hours on two cores. */

export interface Part {
  readonly name: string
  readonly contents: string
  /** How long it usually takes on two cores. */
  readonly minutes: number
  /** The script that the packages have for it. */
  readonly task: string
  /** The packages, as turbo's filter. All packages with the script, if omitted. */
  readonly packages?: string
  /** The test files that only this part runs in full, as a glob. The other parts run files of `npm test` for longer. */
  readonly files?: string
}

export const parts: ReadonlyArray<Part> = [
  {
    name: "matrix",
    contents: "every case of the tests of which npm test runs a part",
    minutes: 80,
    task: "test:long",
    files: "{packages/*,apps/*,tooling}/test/**/*.long.test.ts"
  },
  {
    name: "fuzz",
    contents: "the fuzz tests of the packages with 250,000 cases",
    minutes: 40,
    task: "fuzz",
    packages: "./packages/*",
    files: "packages/*/test/**/*.fuzz.test.ts"
  },
  {
    name: "adversary",
    contents: "10,000 attempts of an agent to exceed its policy",
    minutes: 60,
    task: "fuzz",
    packages: "@geoswap/cli",
    files: "apps/*/test/**/*.fuzz.test.ts"
  },
  {
    name: "chaos",
    contents: "150 rounds in which servers, chains and databases fail at random times",
    minutes: 90,
    task: "chaos"
  },
  {
    name: "mutants",
    contents: "faults in the SDK and the service, each of which a test must find",
    minutes: 40,
    task: "mutants",
    packages: "tooling"
  },
  {
    name: "soak",
    contents: "a steady load on one server, whose memory must not grow",
    minutes: 12,
    task: "soak"
  }
]

/** The named parts, in their usual order, or all parts. Returns a message if there is no such part. */
export const selectParts = (names: ReadonlyArray<string>): ReadonlyArray<Part> | string => {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0) {
    return `Unknown part: ${unknown.join(", ")}. Use one or more of: ${parts.map(({ name }) => name).join(", ")}.`
  }
  return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name))
}

/** Lists all parts with what they contain and how long they take. */
export const listParts = (): string =>
  parts
    .map(({ contents, minutes, name }) => `${name.padEnd(10)} ${`${minutes} min`.padStart(7)}  ${contents}`)
    .join("\n")
