import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, vi } from "vitest"
import { run } from "../../stack/program.js"
import { folder, newSecrets } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const bodyOf = (key: string) => key.split(":")[1] ?? ""

/** Two keys with handwritten names. */
const newKeys = () => {
  const [old, made] = [newSecrets(), newSecrets()].map(({ GEOSWAP_SEAL_KEYS: key }) => bodyOf(key))
  return [`k1:${old}`, `k2:${made}`] as const
}

const rotate = (keys: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(folder, (path) =>
    run({ folder: path, environment: { GEOSWAP_SEAL_KEYS: keys } }, "rotate-seal-key", ...args)
  )

describe.concurrent("geoswap-server rotate-seal-key", () => {
  it.live("prints only the new value to standard output, and the next step to standard error", () =>
    Effect.gen(function* () {
      const [first] = newKeys()
      const added = yield* rotate(first, "add")
      const value = added.stdout.trimEnd()
      expect([added.code, value.split(",")]).toEqual([0, [first, expect.stringMatching(/^r[0-9a-f]{8}:[\w-]{43}$/)]])
      const [, second = ""] = value.split(",")
      const [kid = ""] = second.split(":")
      expect(added.stderr).toContain(
        `The keys are k1, ${kid}. The last key is new and only opens tokens. Restart all servers`
      )
      expect(added.stderr).toContain("Then run: rotate-seal-key promote")

      const promoted = yield* rotate(value, "promote")
      expect([promoted.code, promoted.stdout]).toEqual([0, `${second},${first}\n`])
      expect(promoted.stderr).toContain("Two minutes after the last restart, run: rotate-seal-key retire --yes")
      // It is idempotent.
      expect((yield* rotate(`${second},${first}`, "promote")).stdout).toBe(`${second},${first}\n`)

      const refused = yield* rotate(`${second},${first}`, "retire")
      expect([refused.code, refused.stdout]).toEqual([1, ""])
      expect(refused.stderr).toContain("This removes k1. Servers will reject tokens sealed with a removed key.")
      expect(refused.stderr).not.toContain("does not seal yet")
      const retired = yield* rotate(`${second},${first}`, "retire", "--yes")
      expect([retired.code, retired.stdout]).toEqual([0, `${second}\n`])
      for (const { stderr } of [added, promoted, refused, retired]) {
        for (const key of [first, second]) expect(stderr).not.toContain(bodyOf(key))
      }
    })
  )

  it.live("adds keys whose names are newer than all others, and promotes the newest", () =>
    Effect.gen(function* () {
      const [first] = newKeys()
      const future = `rffffffff:${bodyOf(first)}`
      const { stdout } = yield* rotate(`${first},${future}`, "add")
      const [, , newest = ""] = stdout.trimEnd().split(",")
      expect(newest).toMatch(/^r100000000:/)
      expect((yield* rotate(stdout.trimEnd(), "promote")).stdout).toBe(`${newest},${first},${future}\n`)
      const early = yield* rotate(stdout.trimEnd(), "retire")
      expect(early.stderr).toContain("r100000000, does not seal yet. Did you mean rotate-seal-key promote?")
    })
  )

  it.live("does not guess the newest among other names, and promotes the named key", () =>
    Effect.gen(function* () {
      const [first, second] = newKeys()
      const unclear = yield* rotate(`${first},${second}`, "promote")
      expect([unclear.code, unclear.stdout]).toEqual([1, ""])
      expect(unclear.stderr).toContain("None of these keys was created by rotate-seal-key add")
      expect((yield* rotate(`${first},${second}`, "promote", "k2")).stdout).toBe(`${second},${first}\n`)
      const unknown = yield* rotate(`${first},${second}`, "promote", "k3")
      expect([unknown.code, unknown.stderr]).toEqual([1, "There is no key with that name. The keys are k1, k2.\n"])
      const alone = yield* rotate(first, "retire", "--yes")
      expect([alone.code, alone.stderr]).toEqual([1, "There is only one key, so there is nothing to retire.\n"])
    })
  )

  it.live("prints JSON with the value of a variable, and without the secrets of a file", () =>
    Effect.gen(function* () {
      const [first, second] = newKeys()
      const { stdout } = yield* rotate(`${first},${second}`, "promote", "k2", "--json")
      expect(JSON.parse(stdout)).toEqual({
        stage: "promote",
        keys: ["k2", "k1"],
        seals: "k2",
        value: `${second},${first}`
      })
      const path = yield* folder
      const file = join(path, "keys")
      writeFileSync(file, `${first},${second}\n`)
      const workspace = { folder: path, environment: { GEOSWAP_SEAL_KEYS_FILE: file } }
      const reported = yield* run(workspace, "rotate-seal-key", "retire", "--yes", "--json")
      expect(JSON.parse(reported.stdout)).toEqual({ stage: "retire", keys: ["k1"], seals: "k1", file })
      expect(reported.stdout + reported.stderr).not.toContain(bodyOf(first))
    })
  )

  it.live("replaces the file behind a link atomically with the same mode, and leaves no other file", () =>
    Effect.gen(function* () {
      const [first] = newKeys()
      const path = yield* folder
      const [file, link] = [join(path, "keys"), join(path, "link")]
      writeFileSync(file, first)
      chmodSync(file, 0o640)
      symlinkSync(file, link)
      const before = statSync(file).ino
      const workspace = { folder: path, environment: { GEOSWAP_SEAL_KEYS_FILE: link } }
      const { code, stdout } = yield* run(workspace, "rotate-seal-key", "add")
      expect([code, stdout]).toEqual([0, ""])
      expect(readFileSync(link, "utf8")).toMatch(new RegExp(`^${first},r[0-9a-f]{8}:[\\w-]{43}\n$`))
      expect(statSync(file).mode & 0o777).toBe(0o640)
      // The file was replaced atomically: readers see the old or the new file, never a part.
      expect(statSync(file).ino).not.toBe(before)
      expect(readdirSync(path).toSorted()).toEqual(["keys", "link"])
    })
  )

  it.live("leaves the file unchanged if it refuses or another rotation is running", () =>
    Effect.gen(function* () {
      const [first, second] = newKeys()
      const path = yield* folder
      const file = join(path, "keys")
      writeFileSync(file, `${first},${second}`)
      const workspace = { folder: path, environment: { GEOSWAP_SEAL_KEYS_FILE: file } }
      expect((yield* run(workspace, "rotate-seal-key", "retire")).code).toBe(1)
      expect(readdirSync(path)).toEqual(["keys"])
      writeFileSync(`${file}.next`, "")
      const busy = yield* run(workspace, "rotate-seal-key", "add")
      expect([busy.code, busy.stdout]).toEqual([1, ""])
      expect(busy.stderr).toContain(`${file}.next exists, so another rotation is running or was interrupted.`)
      expect(readdirSync(path).toSorted()).toEqual(["keys", "keys.next"])
      expect(readFileSync(file, "utf8")).toBe(`${first},${second}`)
    })
  )

  it.live("reports problems with the keys without printing them", () =>
    Effect.gen(function* () {
      const [first] = newKeys()
      const path = yield* folder
      const cases: ReadonlyArray<readonly [Readonly<Record<string, string>>, string]> = [
        [{}, "GEOSWAP_SEAL_KEYS is not set."],
        [
          { GEOSWAP_SEAL_KEYS: first, GEOSWAP_SEAL_KEYS_FILE: "keys" },
          "GEOSWAP_SEAL_KEYS and GEOSWAP_SEAL_KEYS_FILE are both set."
        ],
        [{ GEOSWAP_SEAL_KEYS: bodyOf(first) }, "GEOSWAP_SEAL_KEYS: Key 1 does not have the form"],
        [{ GEOSWAP_SEAL_KEYS_FILE: first }, "GEOSWAP_SEAL_KEYS_FILE: the file cannot be read"]
      ]
      for (const [environment, words] of cases) {
        const { code, stderr, stdout } = yield* run({ folder: path, environment }, "rotate-seal-key", "add")
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr).toContain(words)
        expect(stderr).not.toContain(bodyOf(first))
      }
    })
  )
})
