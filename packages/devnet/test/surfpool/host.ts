/** Runs Surfpool's addon until standard input closes; prints its address. `node host.ts <path of the addon>` */
import { createRequire } from "node:module"

interface Surfnet {
  readonly rpcUrl: string
  readonly wsUrl: string
}
interface Addon {
  readonly Surfnet: { readonly startWithConfig: (config: object) => Surfnet }
}

const [, , path = ""] = process.argv
const { Surfnet } = createRequire(import.meta.url)(path) as Addon
const surfnet = Surfnet.startWithConfig({ offline: true, blockProductionMode: "clock", slotTimeMs: 400 })
process.stdout.write(`${JSON.stringify({ rpcUrl: surfnet.rpcUrl, wsUrl: surfnet.wsUrl })}\n`)
setInterval(() => {}, 60_000)
