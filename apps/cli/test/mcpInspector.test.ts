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
const inspect = (folder: string, environment: Readonly<Record<string, string>>, method: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const variables = Object.entries(environment).flatMap(([name, value]) => ["-e", `${name}=${value}`])
        const server = [process.execPath, cli, "mcp", ...variables]
        const child = spawn(process.execPath, [inspector, "--cli", ...server, "--method", method], {
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
  "lists its tools, resources and prompts to the official inspector, as the picture in the docs shows",
  () =>
    Effect.gen(function* () {
      const { environment, folder } = yield* home
      const settings = { ...environment, GEOSWAP_URL: "http://127.0.0.1:9", GEOSWAP_API_KEY: "test" }
      const { tools } = JSON.parse(yield* inspect(folder, settings, "tools/list")) as {
        readonly tools: ReadonlyArray<ListedTool>
      }
      expect(tools).toHaveLength(12)
      expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true)
      yield* Effect.promise(() => expect(drawTools(tools)).toMatchFileSnapshot(picture))
      const { resources } = JSON.parse(yield* inspect(folder, settings, "resources/list")) as {
        readonly resources: ReadonlyArray<object>
      }
      expect(resources).toHaveLength(2)
      const { prompts } = JSON.parse(yield* inspect(folder, settings, "prompts/list")) as {
        readonly prompts: ReadonlyArray<object>
      }
      expect(prompts).toHaveLength(3)
    }),
  120_000
)
