/** Signers for tests of code without Effect. They sign without a chain library and can inject a fault into any call. */
import type { PromiseClock } from "../programs/promiseClock.js"
import {
  type Abort,
  type EvmCapabilities,
  evmToPromise,
  type PromiseEvmSigner,
  type PromiseSolanaSigner,
  solanaToPromise
} from "../Signer.js"
import { systemClock } from "./systemClock.js"
import type { SignerFault } from "./SignerFault.js"
import { evm, solana } from "./TestSigner.js"

/** The methods of an EVM signer. */
type EvmSignerMethod =
  | "verifyOperation"
  | "signOperation"
  | "verifyPayment"
  | "signPayment"
  | "signAuthorization"
  | "signRevocation"

/** The methods of a Solana signer. */
type SolanaSignerMethod = "verifyTransaction" | "signTransaction"

/** A call to a scripted signer. */
interface SignerCall<Method extends string> {
  readonly method: Method
  /** When the signer was called, in Unix milliseconds. */
  readonly at: number
  /** What the signer had to verify or to sign. */
  readonly input: unknown
}

/** Controls for a scripted signer. */
interface SignerScript<Method extends string> {
  /** Every call so far, in order. */
  readonly calls: ReadonlyArray<SignerCall<Method>>
  /** The calls to one method. */
  readonly seen: (method: Method) => ReadonlyArray<SignerCall<Method>>
  /** Injects faults into the next calls to a method, one per call. */
  readonly next: (method: Method, ...faults: ReadonlyArray<SignerFault>) => void
  /** Injects a fault into every call to a method. `SignerFault.pass` removes it. */
  readonly always: (method: Method, fault: SignerFault) => void
}

/** An EVM signer for `createClient`, with controls for tests. */
export interface ScriptedEvmSigner extends Required<PromiseEvmSigner>, SignerScript<EvmSignerMethod> {}

/** A Solana signer for `createClient`, with controls for tests. */
export interface ScriptedSolanaSigner extends Required<PromiseSolanaSigner>, SignerScript<SolanaSignerMethod> {}

/** Options for a scripted signer. */
export interface ScriptedSignerOptions {
  /** The wallet's address (default: the wallet of `evmRequest` or `solanaRequest`). */
  readonly address?: string | undefined
  /** The clock for delays (default: the system's). */
  readonly clock?: PromiseClock | undefined
}

/** Options for a scripted EVM signer. */
export interface ScriptedEvmSignerOptions extends ScriptedSignerOptions {
  /** Whether the signer can sign an authorization (default: yes). */
  readonly capabilities?: EvmCapabilities | undefined
}

const waitForAbort = ({ signal }: Abort): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error))
  })

const scriptOf = <Method extends string>(clock: PromiseClock) => {
  const calls: Array<SignerCall<Method>> = []
  const queues = new Map<Method, Array<SignerFault>>()
  const standing = new Map<Method, SignerFault>()
  const script: SignerScript<Method> = {
    calls,
    seen: (method) => calls.filter((call) => call.method === method),
    next: (method, ...faults) => {
      queues.set(method, [...(queues.get(method) ?? []), ...faults])
    },
    always: (method, fault) => {
      standing.set(method, fault)
    }
  }
  const scripted =
    <I, A>(method: Method, act: (input: I, abort: Abort) => Promise<A> | A) =>
    async (input: I, abort: Abort): Promise<A> => {
      calls.push({ method, at: clock.now(), input })
      const fault = queues.get(method)?.shift() ?? standing.get(method)
      if (fault?.type === "reject") throw fault.error
      if (fault?.type === "hang") return waitForAbort(abort)
      if (fault?.type === "delay") await clock.sleep(fault.millis, abort)
      return act(input, abort)
    }
  return { script, scripted }
}

/**
 * Creates an EVM signer for `createClient` that verifies what it signs. Its signatures are fake: only the scripted
 * service accepts them.
 *
 * @example
 * ```ts
 * const evm = scriptedEvmSigner()
 * evm.next("signOperation", SignerFault.decline())
 * const client = createClient({ transport: service.transport, signers: { evm } })
 * ```
 */
export const scriptedEvmSigner = (options: ScriptedEvmSignerOptions = {}): ScriptedEvmSigner => {
  const { address, capabilities, clock = systemClock } = options
  const signer = evmToPromise(evm({ ...(address && { address }), ...(capabilities && { capabilities }) })) as Required<
    ReturnType<typeof evmToPromise>
  >
  const { script, scripted } = scriptOf<EvmSignerMethod>(clock)
  return {
    ...script,
    address: signer.address,
    capabilities: signer.capabilities,
    verifyOperation: scripted("verifyOperation", signer.verifyOperation),
    signOperation: scripted("signOperation", signer.signOperation),
    verifyPayment: scripted("verifyPayment", signer.verifyPayment),
    signPayment: scripted("signPayment", signer.signPayment),
    signAuthorization: scripted("signAuthorization", signer.signAuthorization),
    signRevocation: scripted("signRevocation", signer.signRevocation)
  }
}

/**
 * Creates a Solana signer for `createClient` that verifies what it signs. Its signatures are fake: only the scripted
 * service accepts them.
 */
export const scriptedSolanaSigner = (options: ScriptedSignerOptions = {}): ScriptedSolanaSigner => {
  const { address, clock = systemClock } = options
  const signer = solanaToPromise(solana(address === undefined ? {} : { address })) as Required<
    ReturnType<typeof solanaToPromise>
  >
  const { script, scripted } = scriptOf<SolanaSignerMethod>(clock)
  return {
    ...script,
    address: signer.address,
    verifyTransaction: scripted("verifyTransaction", signer.verifyTransaction),
    signTransaction: scripted("signTransaction", signer.signTransaction)
  }
}
