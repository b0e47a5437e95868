import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { drawTools, type ListedTool } from "./inspectorPicture.js"
import { cli, home } from "./runCli.js"

const inspector = fileURLToPath(
  new URL("clients/launcher/build/index.js", import.meta.resolve("@modelcontextprotocol/inspector/package.json"))
)

/** The picture in the docs. `vitest run mcpInspector -u` draws it again. */
const picture = "../../../docs/images/inspector.svg"

/** Runs the inspector without its page, and returns what it prints. */
const listTools = (folder: string, environment: Readonly<Record<string, string>>) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const variables = Object.entries(environment).flatMap(([name, value]) => ["-e", `${name}=${value}`])
        const server = [process.execPath, cli, "mcp", ...variables]
        const child = spawn(process.execPath, [inspector, "--cli", ...server, "--method", "tools/list"], {
          cwd: folder,
          env: { PATH: process.env["PATH"], ...environment },
          stdio: ["ignore", "pipe", "pipe"]
        })
        let [stdout, stderr] = ["", ""]
        child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
        child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
        child.on("close", (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${code}: ${stderr}`))))
      })
  )

it.live(
  "lists its tools to the official inspector, as the picture in the docs shows",
  () =>
    Effect.gen(function* () {
      const { environment, folder } = yield* home
      const settings = { ...environment, GEOSWAP_URL: "http://127.0.0.1:9", GEOSWAP_API_KEY: "test" }
      const { tools } = JSON.parse(yield* listTools(folder, settings)) as {
        readonly tools: ReadonlyArray<ListedTool>
      }
      expect(tools).toHaveLength(12)
      expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true)
      yield* Effect.promise(() => expect(drawTools(tools)).toMatchFileSnapshot(picture))
    }),
  120_000
)
