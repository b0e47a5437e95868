import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "@effect/vitest"
import { minimumNode, node } from "../../../tooling/runtimes/installed.ts"

const specifiers = [
  "@geoswap/core",
  "@geoswap/core/adapters",
  "@geoswap/core/node",
  "@geoswap/core/node/promise",
  "@geoswap/core/promise",
  "@geoswap/core/testing",
  "@geoswap/core/testing/promise",
  "@geoswap/deployments/devnet",
  "@geoswap/deployments/networks",
  "@geoswap/signer-evm",
  "@geoswap/signer-evm/promise",
  "@geoswap/signer-solana",
  "@geoswap/signer-solana/promise",
  "@geoswap/transport-fetch",
  "@geoswap/transport-fetch/promise"
]

/** A CommonJS program. `require` throws if a module in the graph uses top-level await. */
const program = `
const loaded = ${JSON.stringify(specifiers)}.map((specifier) => Object.keys(require(specifier)).length > 0)
const { createClient } = require("@geoswap/core/promise")
const { createTestKit, evmRequest } = require("@geoswap/core/testing/promise")
const { options, service } = createTestKit()
service.ends("settled", 600_000)
createClient(options).execute(evmRequest).then(({ status }) => console.log(JSON.stringify({ loaded, status })))
`

for (const { label, path = "" } of [minimumNode, node]) {
  it.skipIf(path === "")(`loads every entry point from CommonJS and swaps in ${label}`, async () => {
    const { stdout } = await promisify(execFile)(path, ["--input-type=commonjs", "--eval", program], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: {}
    })
    expect(JSON.parse(stdout)).toEqual({ loaded: specifiers.map(() => true), status: "settled" })
  })
}
