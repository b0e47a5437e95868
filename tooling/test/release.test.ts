import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Checksums from "../release/checksums.ts"
import * as Sbom from "../release/sbom.ts"
import { publishedPackages, readManifest, run, tooling } from "../workspace.ts"

const folder = mkdtempSync(join(tmpdir(), "geoswap-release-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fresh = (): string => mkdtempSync(join(folder, "part-"))

describe("the checksums of a release", () => {
  const release = () => {
    const where = fresh()
    writeFileSync(join(where, "a.tgz"), "a")
    writeFileSync(join(where, "b.tgz"), "b")
    return { where, checksum: Checksums.write(where) }
  }

  it("can be verified with sha256sum", () => {
    const { checksum, where } = release()
    // macOS has the same program with a different name.
    const program = "$(command -v sha256sum || echo shasum -a 256) --check --strict"
    const verify = (input?: string) => {
      const list = input === undefined ? Checksums.file : "-"
      return spawnSync("/bin/sh", ["-c", `${program} ${list}`], { cwd: where, input })
    }
    expect(verify().status).toBe(0)
    expect(verify(`${checksum}  ${Checksums.file}\n`).status).toBe(0)
    expect(Checksums.problemsOf(where, checksum)).toEqual([])
  })

  it("reveal a file that was changed, added or removed", () => {
    const { checksum, where } = release()
    writeFileSync(join(where, "a.tgz"), "other")
    rmSync(join(where, "b.tgz"))
    writeFileSync(join(where, "c.tgz"), "c")
    expect(Checksums.problemsOf(where, checksum).map((problem) => problem.replace(/[0-9a-f]{64}/, "…"))).toEqual([
      "Missing file: …  a.tgz",
      "Missing file: …  b.tgz",
      "Unexpected file: …  a.tgz",
      "Unexpected file: …  c.tgz"
    ])
  })

  it("reveal a list that was replaced with the files", () => {
    const { checksum, where } = release()
    writeFileSync(join(where, "a.tgz"), "other")
    Checksums.write(where)
    expect(Checksums.problemsOf(where, checksum)).toEqual([expect.stringMatching("is not the list that was built")])
    expect(Checksums.problemsOf(where, "")).toHaveLength(1)
  })
})

describe("publishing", () => {
  /** What npm has published here: tarballs by package and version, in order. */
  const published = new Map<string, Buffer>()
  const packages = publishedPackages().map(({ directory }) => readManifest(directory))
  const ids = packages.map(({ name, version }) => `${name}@${version}`)
  let registry = ""
  let isDown = false

  interface Document {
    readonly name: string
    readonly versions: Readonly<Record<string, object>>
    readonly _attachments: Readonly<Record<string, { readonly data: string }>>
  }

  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1).split("?")[0] ?? "")
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => void chunks.push(chunk))
    request.on("end", () => {
      const answer = (status: number, body: object) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      if (request.method === "PUT") {
        const document = JSON.parse(Buffer.concat(chunks).toString()) as Document
        const [version = ""] = Object.keys(document.versions)
        const [attachment] = Object.values(document._attachments)
        published.set(`${document.name}@${version}`, Buffer.from(attachment?.data ?? "", "base64"))
        return answer(201, { ok: true })
      }
      if (isDown) return answer(503, { error: "try again" })
      const one = packages.find((each) => name === each.name || name === `${each.name}/${each.version}`)
      if (one === undefined || !published.has(`${one.name}@${one.version}`)) return answer(404, { error: "not found" })
      const document = { name: one.name, version: one.version }
      if (name !== one.name) return answer(200, document)
      return answer(200, { ...document, "dist-tags": { latest: one.version }, versions: { [one.version]: document } })
    })
  })

  /** A packed package, with a manifest and nothing else. */
  const packInto = (where: string, manifest: object, file: string): void => {
    const source = fresh()
    mkdirSync(join(source, "package"))
    writeFileSync(join(source, "package", "package.json"), JSON.stringify(manifest))
    expect(spawnSync("tar", ["-czf", join(where, file), "package"], { cwd: source }).status).toBe(0)
  }
  const original = join(folder, "release")
  let checksum = ""
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    registry = `http://${host}/`
    writeFileSync(join(folder, "npmrc"), `//${host}/:_authToken=none\n`)
    mkdirSync(original)
    for (const { dependencies = {}, name, version } of packages) {
      packInto(original, { name, version, dependencies }, `${name.replace("@", "").replace("/", "-")}.tgz`)
    }
    checksum = Checksums.write(original)
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const publish = (where: string, sum: string) => {
    const npm = [`--userconfig=${join(folder, "npmrc")}`, `--registry=${registry}`, "--provenance=false"]
    return run("node", [join(tooling, "release", "publish.ts"), where, sum, ...npm], folder)
  }
  const copy = (): string => {
    const where = fresh()
    cpSync(original, where, { recursive: true })
    return where
  }

  it("refuses a package that was changed after the build, and publishes nothing", async () => {
    const where = copy()
    const victim = readdirSync(where).find((name) => name.endsWith(".tgz")) ?? ""
    packInto(where, { name: "@geoswap/core", version: "0.0.0", scripts: {} }, victim)
    const changed = await publish(where, checksum)
    expect(changed.ok).toBe(false)
    expect(changed.output).toMatch(/^Nothing was published\.\nMissing file: /)
    Checksums.write(where)
    expect((await publish(where, checksum)).output).toMatch("is not the list that was built")
    expect([...published.keys()]).toEqual([])
  })

  it("refuses a package that this checkout does not have, and one that is missing", async () => {
    const [more, less] = [copy(), copy()]
    packInto(more, { name: "left-pad", version: "9.9.9" }, "left-pad.tgz")
    rmSync(join(less, readdirSync(less).find((name) => name.endsWith(".tgz")) ?? ""))
    for (const where of [more, less]) {
      const { ok, output } = await publish(where, Checksums.write(where))
      expect(ok).toBe(false)
      expect(output).toMatch(/^Nothing was published: expected @geoswap\/cli@\S+, .*, got /)
    }
    expect([...published.keys()]).toEqual([])
  })

  it("refuses a package that would change npm's options, or hides a second manifest", async () => {
    const { name, version } = packages[0] ?? { name: "", version: "" }
    const file = `${name.replace("@", "").replace("/", "-")}.tgz`
    const proxied = copy()
    packInto(proxied, { name, version, publishConfig: { access: "public", proxy: "http://127.0.0.1:9" } }, file)
    const hidden = copy()
    const source = fresh()
    for (const [place, given] of [
      ["package", version],
      ["x", "6.6.6"]
    ] as const) {
      mkdirSync(join(source, place))
      writeFileSync(join(source, place, "package.json"), JSON.stringify({ name, version: given }))
    }
    expect(spawnSync("tar", ["-czf", join(hidden, file), "package", "x"], { cwd: source }).status).toBe(0)
    const linked = copy()
    symlinkSync("package.json", join(source, "package", "link"))
    expect(spawnSync("tar", ["-czf", join(linked, file), "package"], { cwd: source }).status).toBe(0)
    for (const [where, reason] of [
      [proxied, `publishConfig differs from this checkout: ${name}.`],
      [hidden, "has entries other than files in package/"],
      [linked, "has entries other than files in package/"]
    ] as const) {
      const { ok, output } = await publish(where, Checksums.write(where))
      expect([ok, output]).toEqual([false, expect.stringContaining(reason) as string])
    }
    expect([...published.keys()]).toEqual([])
  })

  it("publishes nothing if the registry does not say what has been published", async () => {
    isDown = true
    const { ok, output } = await publish(original, checksum)
    isDown = false
    expect([ok, output]).toEqual([
      false,
      expect.stringMatching(/^Cannot tell whether .* published: HTTP 503$/) as string
    ])
    expect([...published.keys()]).toEqual([])
  })

  it("publishes what a run that failed has not, unchanged, dependencies first, and only once", async () => {
    const missing = packages.filter(({ name }) => /\/(core|service|server)$/.test(name))
    expect(missing).toHaveLength(3)
    const before = packages.filter((one) => !missing.includes(one)).map(({ name, version }) => `${name}@${version}`)
    for (const id of before) published.set(id, Buffer.from("an earlier run"))
    const first = await publish(original, checksum)
    expect(first.ok).toBe(true)
    const lines = first.output.trim().split("\n")
    expect(lines.filter((line) => line.endsWith("has already been published"))).toHaveLength(before.length)
    const order = [...published.keys()].slice(before.length)
    expect(lines.filter((line) => line.startsWith("published "))).toEqual(order.map((id) => `published ${id}`))
    expect(order.toSorted()).toEqual(missing.map(({ name, version }) => `${name}@${version}`).toSorted())
    for (const { dependencies = {}, name, version } of missing) {
      const at = order.indexOf(`${name}@${version}`)
      for (const needed of order.filter((id) => id.replace(/@[^@]*$/, "") in dependencies)) {
        expect(order.indexOf(needed)).toBeLessThan(at)
      }
      const file = join(original, `${name.replace("@", "").replace("/", "-")}.tgz`)
      expect(published.get(`${name}@${version}`)?.equals(readFileSync(file))).toBe(true)
    }
    expect(before.every((id) => published.get(id)?.toString() === "an earlier run")).toBe(true)
    const again = await publish(original, checksum)
    expect(again.output.split("\n").toSorted()).toEqual(ids.map((id) => `${id} has already been published`).toSorted())
  }, 900_000)
})

describe("an SBOM", () => {
  const namesIn = ({ components }: Sbom.Bom) =>
    components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))

  it("lists the runtime dependencies of a package, with the hashes from the lockfile", async () => {
    const path = join(fresh(), "server.cdx.json")
    const bom = await Sbom.write("@geoswap/server", "application", path)
    expect(bom).toMatchObject({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      metadata: {
        component: { type: "application", purl: expect.stringMatching(/^pkg:npm\/%40geoswap\/server@/) as string }
      }
    })
    const names = namesIn(bom)
    expect(names).toEqual(expect.arrayContaining(["@geoswap/core", "@geoswap/service", "effect", "pg", "viem"]))
    expect(names).not.toContain("vitest")
    const [, integrity = ""] =
      /^ {2}pg@[\d.]+:\n {4}resolution: \{integrity: sha512-([^}]+)\}/m.exec(
        readFileSync(join(tooling, "../pnpm-lock.yaml"), "utf8")
      ) ?? []
    expect(integrity).not.toBe("")
    expect(readFileSync(path, "utf8")).toContain(Buffer.from(integrity, "base64").toString("hex"))
  })

  it("lists the contents of a bundle", async () => {
    const page = namesIn(await Sbom.write("@geoswap/web", "library", join(fresh(), "web.cdx.json")))
    expect(page).toEqual(expect.arrayContaining(["react", "viem", "@geoswap/react"]))
  })

  it("lists every package that is installed in an image, at any depth, once", () => {
    const where = fresh()
    const install = (path: string, manifest: object) => {
      mkdirSync(join(where, path), { recursive: true })
      writeFileSync(join(where, path, "package.json"), JSON.stringify(manifest))
    }
    install("node_modules/pg", { name: "pg", version: "1.0.0" })
    install("node_modules/.pnpm/pg@1.0.0/node_modules/pg", { name: "pg", version: "1.0.0" })
    install("node_modules/.pnpm/@a+b@2.0.0/node_modules/@a/b", { name: "@a/b", version: "2.0.0" })
    install("node_modules/.pnpm/@a+b@2.0.0/node_modules/@a/b/esm", { type: "module" })
    const known = { type: "library", name: "pg", version: "1.0.0", purl: "pkg:npm/pg@1.0.0", "bom-ref": "pg" }
    const component = { ...known, name: "app", purl: "pkg:npm/app@0.0.0" }
    const bom = { specVersion: "1.6", metadata: { component }, components: [known] }
    const purl = "pkg:npm/%40a/b@2.0.0"
    expect(Sbom.withInstalled(bom, where).components).toEqual([
      known,
      { type: "library", group: "@a", name: "b", version: "2.0.0", purl, "bom-ref": purl }
    ])
  })
})
