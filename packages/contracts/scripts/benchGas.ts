/**
 * Measures the gas cost of payments by signature, with our contracts and with third-party contracts, on the same chain
 * in a single run. The third-party contracts are compiled for this benchmark only and are not published, because
 * parts of the ERC-4337 contracts are licensed under the GPL.
 */
import { type Abi, encodeFunctionData, type Hex, maxUint256, numberToHex, parseSignature } from "viem"
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationTypedData,
  toPackedUserOperation,
  type UserOperation
} from "viem/account-abstraction"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { Chain, encode, type Outcome } from "../test/chain.ts"
import {
  authorize,
  collect,
  deployFixture,
  holding,
  operation,
  otherWallet,
  owner,
  relayer,
  sign,
  usdc,
  vault,
  wallet
} from "../test/fixture.ts"
import { authorizedToken } from "../test/payments.ts"
import { compile } from "./compile.ts"

const amount = 10_000_000n

const entryPoint = "@account-abstraction/contracts/core/EntryPoint.sol"
const account = "@account-abstraction/contracts/accounts/Simple7702Account.sol"
const puller = "contracts/bench/Puller.sol"

/** Compiles files, and returns a function that looks up the contract that was compiled from a file. */
const contractsOf = (paths: ReadonlyArray<string>) => {
  const contracts = new Map(compile(paths, { warnings: true }).map((contract) => [contract.path, contract]))
  return (path: string): { readonly abi: Abi; readonly bytecode: Hex } => {
    const contract = contracts.get(path)
    if (contract === undefined) throw new Error(`${path} has no contract with the name of the file.`)
    return { abi: contract.abi as Abi, bytecode: `0x${contract.evm.bytecode.object}` }
  }
}

const gasOf = async (work: Promise<Outcome>): Promise<number> => {
  const { receipt, result } = await work
  if (result !== "done") throw new Error(`A payment failed: ${result}`)
  return Number(receipt.gasUsed)
}

type Measured = readonly [name: string, first: number, later: number]

const ours = async (chain: Chain): Promise<Measured> => {
  const [first, later] = [operation({ nonce: 0n, amount }), operation({ nonce: 1n, amount })]
  return [
    "GeoVault.collect",
    await gasOf(collect(chain, wallet.address, first, await sign(wallet, first), [await authorize(wallet)])),
    await gasOf(collect(chain, wallet.address, later, await sign(wallet, later)))
  ]
}

/**
 * Measures ERC-4337 user operations in their cheapest variant: without a paymaster and with a gas price of 0, so that
 * no deposit changes.
 */
const userOperations = async (chain: Chain, of: ReturnType<typeof contractsOf>): Promise<Measured> => {
  await chain.client.setCode({
    address: entryPoint08Address,
    bytecode: await chain.codeAt(entryPoint08Address, of(entryPoint).bytecode)
  })
  const target = await chain.deploy(owner, of(account).bytecode)
  const handle = async (nonce: bigint, first: boolean): Promise<number> => {
    const data = encode(TestToken, "transfer", [vault, amount])
    const unsigned: UserOperation<"0.8"> = {
      sender: otherWallet.address,
      nonce,
      callData: encodeFunctionData({ abi: of(account).abi, functionName: "execute", args: [usdc, 0n, data] }),
      callGasLimit: 100_000n,
      verificationGasLimit: 100_000n,
      preVerificationGas: 0n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      signature: "0x"
    }
    const signature = await otherWallet.signTypedData(
      getUserOperationTypedData({
        chainId: chain.id,
        entryPointAddress: entryPoint08Address,
        userOperation: unsigned
      })
    )
    const packed = toPackedUserOperation({ ...unsigned, signature })
    const call = encode({ abi: entryPoint08Abi }, "handleOps", [[packed], relayer.address])
    return gasOf(
      chain.send(relayer, {
        to: entryPoint08Address,
        data: call,
        ...(first ? { authorizationList: [await authorize(otherWallet, { address: target })] } : {})
      })
    )
  }
  return ["ERC-4337 v0.8, Simple7702Account", await handle(0n, true), await handle(1n, false)]
}

const permits = async (chain: Chain, of: ReturnType<typeof contractsOf>): Promise<Measured> => {
  const spender = await chain.deploy(owner, of(puller).bytecode)
  await chain.write(owner, usdc, TestToken, "mint", [spender, holding])
  const pull = async (nonce: bigint): Promise<number> => {
    const signature = await otherWallet.signTypedData({
      domain: { name: "USD Coin", version: "1", chainId: chain.id, verifyingContract: usdc },
      types: {
        Permit: [
          { name: "owner", type: "address" },
          { name: "spender", type: "address" },
          { name: "value", type: "uint256" },
          { name: "nonce", type: "uint256" },
          { name: "deadline", type: "uint256" }
        ]
      },
      primaryType: "Permit",
      message: { owner: otherWallet.address, spender, value: amount, nonce, deadline }
    })
    const { r, s, yParity } = parseSignature(signature)
    const args = [usdc, otherWallet.address, amount, deadline, 27 + yParity, r, s]
    const data = encodeFunctionData({ abi: of(puller).abi, functionName: "pull", args })
    return gasOf(chain.send(relayer, { to: spender, data }))
  }
  return ["permit + transferFrom", await pull(0n), await pull(1n)]
}

const { deadline } = operation()

const authorizedTransfers = async (chain: Chain): Promise<Measured> => {
  const address = await chain.deploy(owner, authorizedToken())
  for (const to of [wallet.address, vault]) await chain.write(owner, address, TestToken, "mint", [to, holding])
  const transfer = async (index: number): Promise<number> => {
    const message = {
      from: wallet.address,
      to: vault,
      value: amount,
      validAfter: 0n,
      validBefore: deadline,
      nonce: numberToHex(maxUint256 / 7n + BigInt(index), { size: 32 })
    }
    const signature = await wallet.signTypedData({
      domain: { name: "USD Coin", version: "1", chainId: chain.id, verifyingContract: address },
      types: {
        TransferWithAuthorization: [
          { name: "from", type: "address" },
          { name: "to", type: "address" },
          { name: "value", type: "uint256" },
          { name: "validAfter", type: "uint256" },
          { name: "validBefore", type: "uint256" },
          { name: "nonce", type: "bytes32" }
        ]
      },
      primaryType: "TransferWithAuthorization",
      message
    })
    const { r, s, yParity } = parseSignature(signature)
    const { from, nonce, to, validAfter, validBefore, value } = message
    const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s] as const
    const data = encode(AuthorizedToken, "transferWithAuthorization", args)
    return gasOf(chain.send(relayer, { to: address, data }))
  }
  return ["EIP-3009 transferWithAuthorization", await transfer(0), await transfer(1)]
}

const of = contractsOf([entryPoint, account, puller])
const chain = new Chain(31337)
await deployFixture(chain)
const rows = [
  await ours(chain),
  await userOperations(chain, of),
  await permits(chain, of),
  await authorizedTransfers(chain)
]
const lines = rows.map(
  ([name, ...numbers]) => `| ${name} | ${numbers.map((number) => number.toLocaleString("en")).join(" | ")} |`
)
process.stdout.write(["| gas of one payment | first | later |", "| --- | ---: | ---: |", ...lines, ""].join("\n"))
