/** Selects and opens the user's keys. The code for each chain family is loaded only when needed. */
import { resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { macKeysOf } from "../agent/mac.js"
import { checksumProblem } from "../chains/addressProblem.js"
import { Settings } from "../config/Settings.js"
import { Host, variable } from "../node/Host.js"
import { readSecret, readText } from "../node/secretFile.js"
import { failure } from "../output/Exit.js"
import { Output } from "../output/Output.js"
import * as Prompts from "../terminal/Prompts.js"
import { decrypt, keyError, parse } from "./Keystore.js"
import { describeSource, families, familyName, namedKey, type Source, userKeys, variables } from "./KeySource.js"

export { KeyError, keyError } from "./Keystore.js"
export { describeSource, familyName, variables } from "./KeySource.js"

/**
 * Where a keystore's password may come from. `typed`: only from a person at a terminal, never from the environment or a
 * file, for what a program that can sign must not be able to do.
 */
export const PasswordSource = Context.Reference<"any" | "typed">("@geoswap/cli/PasswordSource", {
  defaultValue: () => "any"
})

/** Reads the keystore password from the environment or a file. Returns `undefined` if it is in neither of them. */
export const storedPassword = Effect.gen(function* () {
  const host = yield* Host
  const fromEnvironment = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
  if (fromEnvironment !== undefined) return Redacted.make(fromEnvironment, { label: "password" })
  const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
  if (file === undefined) return undefined
  const text = yield* readSecret(resolve(host.folder, file), "The password")
  // Editors add a final newline that is not part of the password.
  return Redacted.make(text.replace(/\r?\n$/, ""), { label: "password" })
})

/** Reads the password of a keystore, or asks for it. */
const password = Effect.fnUntraced(function* (path: string) {
  const { interactive } = yield* Output
  const question = `Password for ${path}`
  if ((yield* PasswordSource) === "any") {
    return (
      (yield* storedPassword) ??
      (yield* Prompts.secret(question, "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."))
    )
  }
  const next = "Run the command in a terminal. GEOSWAP_KEYSTORE_PASSWORD and password files are not accepted here."
  if (interactive) return yield* Prompts.secret(question, next)
  return yield* failure(
    "The password of the keystore must be typed at a terminal, and no interactive terminal is available.",
    next
  )
})

/** Reads a keystore. A keystore is encrypted, so the mode of its file is not checked. */
export const readKeystore = (path: string) =>
  Effect.flatMap(readText(path, `The keystore ${path}`, "Choose another one with geoswap init."), (text) =>
    parse(text, path)
  )

const readSource = Effect.fnUntraced(function* (source: Exclude<Source, { kind: "keystore" }>) {
  switch (source.kind) {
    case "devnet":
      return Redacted.value(source.wallet.privateKey)
    case "file":
      return yield* readSecret(source.path, "The key")
    case "environment":
      return (
        variable(yield* Host, source.variable) ??
        (yield* keyError(`The environment variable ${source.variable} is not set.`, "Set it, or use another key."))
      )
  }
})

const formats = {
  evm: "Expected a secp256k1 key: 0x followed by 64 hex digits.",
  solana: "Expected 64 bytes in base58, or the byte array that solana-keygen writes."
}

/** Decodes a private key, and throws if it is invalid. */
const decode = async (family: Chain.Family, text: string): Promise<Uint8Array> => {
  if (family === "evm") {
    const [, hex = ""] = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(text) ?? []
    return Buffer.from(hex, "hex")
  }
  const { getBase58Encoder } = await import("@solana/kit")
  const trimmed = text.trim()
  return Uint8Array.from(
    trimmed.startsWith("[") ? (JSON.parse(trimmed) as ReadonlyArray<number>) : getBase58Encoder().encode(trimmed)
  )
}

/** Imports a private key, and throws if it is invalid. A Solana key is a WebCrypto key pair that cannot be exported. */
const importKey = async (family: Chain.Family, bytes: Uint8Array) => {
  if (family === "evm") {
    const { privateKeyToAccount } = await import("viem/accounts")
    const account = privateKeyToAccount(`0x${Buffer.from(bytes).toString("hex")}`)
    return { family, account, address: account.address as string }
  }
  const { createKeyPairFromBytes, getAddressFromPublicKey } = await import("@solana/kit")
  const keyPair = await createKeyPairFromBytes(bytes)
  return { family, keyPair, address: (await getAddressFromPublicKey(keyPair.publicKey)) as string }
}

/** Decodes or imports a key. The error does not say what is wrong, because that could reveal the key. */
const attempt = <A>(family: Chain.Family, where: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: () => keyError(`There is no ${familyName[family]} key in ${where}.`, formats[family])
  })

/** Decodes an EVM key, and returns its bytes and its address. The caller must wipe the bytes. */
export const decodeEvm = (text: string, where: string) =>
  attempt("evm", where, async () => {
    const bytes = await decode("evm", text)
    return { bytes, address: (await importKey("evm", bytes)).address }
  })

/** Reads a key, and uses its bytes, which are wiped afterwards. */
const withKey = Effect.fnUntraced(function* <A>(family: Chain.Family, source: Source, use: (bytes: Uint8Array) => A) {
  const where = describeSource(source)
  const readBytes = Effect.gen(function* () {
    if (source.kind === "keystore") {
      const keystore = yield* readKeystore(source.path)
      return yield* decrypt(keystore, yield* password(source.path))
    }
    const text = yield* readSource(source)
    return yield* attempt(family, where, () => decode(family, text))
  })
  const bytes = yield* readBytes
  const opened = yield* attempt(family, where, () => importKey(family, bytes))
  const used = use(bytes)
  bytes.fill(0)
  return [opened, used] as const
})

const openSource = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  const [opened, macKeys] = yield* withKey(family, source, macKeysOf)
  return { ...opened, source, macKeys }
})

/**
 * Returns the private key of a source, for `geoswap keys export` only: hex for an EVM key, base58 for a Solana key, and
 * the key's address.
 */
export const exportKey = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  const { getBase58Decoder } = yield* Effect.promise(() => import("@solana/kit"))
  const [{ address }, text] = yield* withKey(family, source, (bytes) =>
    family === "evm" ? `0x${Buffer.from(bytes).toString("hex")}` : getBase58Decoder().decode(bytes)
  )
  return { address, privateKey: Redacted.make(text, { label: "private key" }) }
})

/**
 * Returns the address that belongs to a key source, without asking for a password. Returns `undefined` if the address
 * cannot be determined without the password.
 */
export const addressOfSource = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  if (source.kind === "devnet") return source.wallet.address
  if (source.kind !== "keystore") return (yield* openSource(family, source)).address
  const { address } = yield* readKeystore(source.path)
  const hex = `0x${(address ?? "").replace(/^0x/, "")}`
  return Chain.isAddress("evm", hex) ? hex : undefined
})

/**
 * The wallet for a chain family: the one that `--wallet` names, or the default. `isOther` means that `--wallet` names one
 * of the other family.
 */
const selected = Effect.fnUntraced(function* (family: Chain.Family) {
  const { wallet } = yield* Settings
  const keys = yield* userKeys
  const byDefault = keys.find((one) => one.family === family)
  if (wallet === undefined) return { key: byDefault, address: undefined, isOther: false }
  const key = yield* namedKey(wallet)
  if (key !== undefined) return { key, address: undefined, isOther: key.family !== family }
  if (Chain.isAddress(family, wallet)) return { key: byDefault, address: wallet, isOther: false }
  if (families.some((family) => Chain.isAddress(family, wallet))) {
    return { key: byDefault, address: undefined, isOther: true }
  }
  const problem = checksumProblem(wallet)
  if (problem !== undefined) return yield* keyError(`--wallet is not an address: ${problem.what}`, problem.next)
  return yield* keyError(
    "--wallet is neither an address nor the name of one of your keys.",
    keys.length === 0
      ? "Add a key with geoswap keys add <name>."
      : `Your keys: ${keys.map(({ name }) => name).join(", ")}`
  )
})

/**
 * Returns the source of the key for a chain family: the key that `--wallet` names, or the default key. Returns
 * `undefined` if no key is configured.
 */
export const sourceOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const { key } = yield* selected(family)
  if (key === undefined || key.family === family) return key?.source
  const names = (yield* userKeys).filter((wallet) => wallet.family === family).map(({ name }) => name)
  return yield* keyError(
    `${key.name} is a key for ${familyName[key.family]} chains, but a key for ${familyName[family]} chains is needed.`,
    names.length === 0 ? "Add one with geoswap keys add <name>." : `Use one of: ${names.join(", ")}`
  )
})

/** Finds the user's key with an address. A key that cannot be read is left out. */
export const keyWithAddress = Effect.fnUntraced(function* (family: Chain.Family, address: string) {
  for (const key of yield* userKeys) {
    if (key.family !== family) continue
    const own = yield* Effect.orElseSucceed(addressOfSource(family, key.source), () => undefined)
    if (own !== undefined && Chain.sameAddress(family, own, address)) return key
  }
  return undefined
})

/** Returns the source of the key that pays for a chain family. Fails if there is none. */
export const requiredSource = Effect.fnUntraced(function* (family: Chain.Family) {
  const { address } = yield* selected(family)
  const byAddress = address === undefined ? undefined : yield* keyWithAddress(family, address)
  return (
    byAddress?.source ??
    (yield* sourceOf(family)) ??
    (yield* keyError(
      `There is no key for ${familyName[family]} chains.`,
      `Set ${variables[family]}, add a key with geoswap keys add <name>, or use a devnet with --devnet.`
    ))
  )
})

/**
 * Opens a wallet: its key, and the keys that authenticate its policy. Without a source, opens the wallet that pays for
 * the chain family, and checks that it is the one in `--wallet`, so that no other key is used to sign.
 */
export const openWallet = Effect.fnUntraced(function* (family: Chain.Family, source?: Source) {
  if (source !== undefined) return yield* openSource(family, source)
  const opened = yield* openSource(family, yield* requiredSource(family))
  const { address } = yield* selected(family)
  if (address === undefined || Chain.sameAddress(family, address, opened.address)) return opened
  return yield* keyError(
    `The key belongs to a different wallet: expected ${address} (--wallet), got ${opened.address}.`,
    "Use the key for that wallet."
  )
}, Effect.withSpan("Keys.openWallet"))

type Opening = ReturnType<typeof openWallet>

/** A wallet with its key. */
export type OpenedWallet = Effect.Success<Opening>

/** The errors that can occur when a wallet is opened. */
export type OpenError = Effect.Error<Opening>

/** What opening a wallet needs: the settings, and a terminal for the password. */
export type OpenEnvironment = Effect.Services<Opening>

/** Whether the wallet in `--wallet` belongs to the other chain family. */
export const isOtherFamily = (family: Chain.Family) => Effect.map(selected(family), ({ isOther }) => isOther)

/**
 * Returns the wallet address for a chain family, from `--wallet`, the keystore or the key, without asking for a
 * password. Returns `undefined` if none of them provides an address.
 */
export const addressWithoutPassword = Effect.fnUntraced(function* (family: Chain.Family) {
  const { address, isOther, key } = yield* selected(family)
  if (isOther) return undefined
  return address ?? (key && (yield* addressOfSource(family, key.source)))
})

/** Like `addressWithoutPassword`, but asks for the password if the keystore does not contain its address. */
export const addressOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const { isOther, key } = yield* selected(family)
  const address = yield* addressWithoutPassword(family)
  return address === undefined && !isOther && key !== undefined ? (yield* openWallet(family)).address : address
})

/** Returns the wallet address for a chain family. Fails if there is none. */
export const walletAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  return (
    (yield* addressOf(family)) ??
    (yield* keyError(
      `There is no wallet for ${familyName[family]} chains.`,
      "Pass --wallet <address>, or add a key with geoswap init."
    ))
  )
})

/**
 * Returns the address of the default key for a chain family, regardless of `--wallet`, without asking for a password.
 * `isProven` means that the address is derived from the key and not only stated next to it.
 */
export const defaultKeyOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const key = (yield* userKeys).find((one) => one.family === family)
  const address = key && (yield* addressOfSource(family, key.source))
  return key === undefined || address === undefined ? undefined : { address, isProven: key.source.kind !== "keystore" }
})
