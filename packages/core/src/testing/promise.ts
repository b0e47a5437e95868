/** Test helpers for code without Effect: a scripted service, signers, chain readers and virtual time for `createClient`. */
import type { ClientOptions } from "../promise/options.js"
import { type ScriptedService, scriptedService, type ScriptedServiceOptions } from "./promiseService.js"
import {
  type ScriptedEvmSigner,
  scriptedEvmSigner,
  type ScriptedSolanaSigner,
  scriptedSolanaSigner
} from "./scriptedSigners.js"
import { type VirtualClock, virtualClock } from "./virtualClock.js"

export * as Fault from "./Fault.js"
export { pumpTimers } from "./pumpTimers.js"
export { evmRequest, solanaRequest } from "./ScriptedTransport.js"
export * as SignerFault from "./SignerFault.js"
export { scriptedEvmSigner, scriptedService, scriptedSolanaSigner, virtualClock }

/** Options for a test kit. */
interface TestKitOptions {
  /** The clock of the client, the service and the signers (default: a new virtual clock). */
  readonly clock?: VirtualClock | undefined
  /** Options for the service. */
  readonly service?: Omit<ScriptedServiceOptions, "clock"> | undefined
}

/** A scripted service with signers for it, all on one virtual clock. */
interface TestKit {
  readonly clock: VirtualClock
  readonly service: ScriptedService
  readonly evm: ScriptedEvmSigner
  readonly solana: ScriptedSolanaSigner
  /** The options for `createClient`: the network, the transport, the signers and the clock. */
  readonly options: Pick<ClientOptions, "network" | "transport" | "signers" | "clock">
}

/**
 * Creates a scripted service with signers for it, all on one virtual clock.
 *
 * @example
 * ```ts
 * const { options, service } = createTestKit()
 * service.ends("refunded", 600_000)
 * const swap = await createClient(options).execute(evmRequest)
 * ```
 */
export const createTestKit = (options: TestKitOptions = {}): TestKit => {
  const clock = options.clock ?? virtualClock()
  const service = scriptedService({ ...options.service, clock })
  const evm = scriptedEvmSigner({ clock })
  const solana = scriptedSolanaSigner({ clock })
  return {
    clock,
    service,
    evm,
    solana,
    options: {
      network: service.network,
      transport: service.transport,
      signers: { evm, solana },
      clock
    }
  }
}
