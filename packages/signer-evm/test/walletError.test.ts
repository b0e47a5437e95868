import { SwapError } from "@geoswap/core"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { createWalletClient, custom } from "viem"
import { EvmSigner } from "../src/index.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { account, alive, effectOf, operation, tuple } from "./fixture.js"
import { address } from "./wallets.js"

describe("an error of a wallet", () => {
  const failure = async (error: unknown, options: EvmSigner.Options = {}) => {
    const provider = { request: () => Promise.reject(error) }
    const { message, reason } = (await rejection(
      EvmSigner.fromProvider(provider, address, options).signOperation(operation, alive())
    )) as SwapError.SignerError
    return `${reason}: ${message}`
  }
  const coded = (code: number | string, message = "Something.") => Object.assign(new Error(message), { code })

  it("becomes a SignerError with a reason and a message", async () => {
    expect(await failure(coded(4001))).toMatchInlineSnapshot(`"rejected: The wallet: the user declined to sign."`)
    expect(await failure(coded(5000))).toMatchInlineSnapshot(`"rejected: The wallet: the user declined to sign."`)
    expect(await failure(new Error("MetaMask: User denied message signature."))).toMatchInlineSnapshot(
      `"rejected: The wallet: the user declined to sign."`
    )
    expect(await failure(coded(4100))).toMatchInlineSnapshot(
      `"failed: The wallet is not connected to account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Connect the account in the wallet, then try again."`
    )
    expect(await failure(coded(4200))).toMatchInlineSnapshot(
      `"incapable: The wallet does not support the method required for signing. Use another wallet."`
    )
    expect(await failure(coded(-32601))).toMatchInlineSnapshot(
      `"incapable: The wallet does not support the method required for signing. Use another wallet."`
    )
    expect(await failure(coded(4900))).toMatchInlineSnapshot(
      `"failed: The wallet is disconnected. Reconnect it, then try again."`
    )
    expect(await failure(coded(4901))).toMatchInlineSnapshot(
      `"failed: The wallet is disconnected. Reconnect it, then try again."`
    )
    for (const code of [5000, "4001", "ACTION_REJECTED"]) {
      const wrapped = { code: -32603, data: { originalError: { code } } }
      expect(await failure(wrapped)).toBe("rejected: The wallet: the user declined to sign.")
    }
    expect(await failure(coded(-32002))).toMatchInlineSnapshot(
      `"failed: The wallet already has a pending request. Respond to it in the wallet, then try again."`
    )
    expect(await failure({ code: -32603, data: { originalError: { code: 4001 } } })).toMatchInlineSnapshot(
      `"rejected: The wallet: the user declined to sign."`
    )
    expect(await failure(new Error("Outer.", { cause: coded(4100) }))).toMatchInlineSnapshot(
      `"failed: The wallet is not connected to account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Connect the account in the wallet, then try again."`
    )
    expect(await failure(new Error("The device is locked."))).toMatchInlineSnapshot(
      `"failed: The wallet failed: The device is locked."`
    )
    expect(await failure(undefined)).toMatchInlineSnapshot(`"failed: The wallet failed: no reason given."`)
    expect(await failure(new Error("Gone."), { name: "My wallet" })).toMatchInlineSnapshot(
      `"failed: My wallet failed: Gone."`
    )
    expect(
      await failure(new SwapError.SignerError({ reason: "rejected", message: "Not today." }), { name: "My wallet" })
    ).toMatchInlineSnapshot(`"rejected: My wallet: Not today."`)
  })

  it("is found inside viem errors", async () => {
    for (const [code, reason] of [
      [4001, "rejected"],
      [4100, "failed"],
      [4200, "incapable"],
      [-32601, "incapable"]
    ] as const) {
      const client = createWalletClient({
        account: address,
        transport: custom({ request: () => Promise.reject(coded(code)) })
      })
      const error = await rejection(EvmSigner.fromWalletClient(client).signOperation(operation, alive()))
      expect(error).toMatchObject({ _tag: "SignerError", reason })
    }
  })

  it("has no JSON-RPC meaning if it comes from a key service or a local account", async () => {
    for (const code of [5000, 4100, 4200, 4900, 4901, -32601, -32002]) {
      const fail = () => Promise.reject(coded(code, "Out of order."))
      const local = {
        ...account,
        sign: fail,
        signMessage: fail,
        signTypedData: fail,
        signAuthorization: fail
      } as EvmSigner.Account
      const client = createWalletClient({ account, transport: custom({ request: fail }) })
      for (const [who, { signAuthorization, signOperation }] of [
        ["The key service", EvmSigner.fromKeyService({ address, signDigest: fail })],
        ["The key service", EvmSigner.fromKeyService({ address, signMessage: fail, signAuthorization: fail })],
        ["The account", EvmSigner.fromAccount(local)],
        ["The account", EvmSigner.fromWalletClient(client, { account: local })]
      ] as const) {
        const failed = { reason: "failed", message: `${who} failed: Out of order.` }
        expect(await rejection(signOperation(operation, alive()))).toMatchObject(failed)
        expect(await rejection(Promise.resolve(signAuthorization?.(tuple, alive())))).toMatchObject(failed)
      }
    }
  })

  it("is never kept as a cause and never crashes the program", async () => {
    const cyclic = Object.assign(new Error("round"), { code: 1 })
    cyclic.cause = cyclic
    for (const error of [
      coded(4001),
      cyclic,
      null,
      7,
      Symbol("no"),
      [],
      () => undefined,
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no")
          }
        }
      )
    ]) {
      const service = { address, signDigest: () => Promise.reject(error) }
      const exit = await Effect.runPromiseExit(effectOf(EvmSigner.layerKeyService(service)).signOperation(operation))
      if (!Exit.isFailure(exit)) throw new Error("signed")
      expect(Cause.hasDies(exit.cause)).toBe(false)
      expect(Cause.squash(exit.cause)).toMatchObject({ _tag: "SignerError" })
      expect(Cause.squash(exit.cause)).not.toHaveProperty("cause.code")
    }
  })

  it("is caught if it is thrown synchronously", async () => {
    const service = {
      address,
      signDigest: (): never => {
        throw new Error("At once.")
      }
    }
    const error = await rejection(EvmSigner.fromKeyService(service).signOperation(operation, alive()))
    expect(error).toMatchObject({ reason: "failed", message: "The key service failed: At once." })
  })
})
