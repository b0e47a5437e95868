import { assert, describe, it } from "@effect/vitest"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Client, Policy, Signer, Store, Transport } from "../src/index.js"
import { ScriptedTransport, TestSigner } from "../src/testing.js"

const { evmRequest, solanaRequest } = ScriptedTransport

describe("Client.toPromise", () => {
  it("calls every endpoint and program with the services of a layer", async () => {
    const service = ScriptedTransport.make()
    service.ends("settled", 5)
    const runtime = ManagedRuntime.make(
      Layer.mergeAll(
        Layer.succeed(Transport.Transport, service.transport),
        Signer.layer({ evm: TestSigner.evm(), solana: TestSigner.solana() }),
        Policy.layer({ network: service.network }),
        Store.layerMemory
      )
    )
    const client = Client.toPromise(await runtime.context())
    assert.lengthOf(await client.chains(), 3)
    const { swapId } = await client.execute(evmRequest)
    assert.strictEqual((await client.status(swapId)).status, "settled")
    assert.strictEqual((await client.wait(swapId)).status, "settled")
    const steps: Array<string> = []
    for await (const { type } of client.executeStream(solanaRequest)) steps.push(type)
    assert.strictEqual(steps.at(-1), "done")
    assert.deepStrictEqual(await client.pending(), [])
    assert.lengthOf(service.swaps, 2)
    await runtime.dispose()
  })
})
