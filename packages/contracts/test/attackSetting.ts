/** The contracts and wallets that the attacks need. */
import { type Address, concat, encodeAbiParameters, getContractAddress, type Hex } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import type { Setting } from "./attacks.ts"
import type { Chain } from "./chain.ts"
import { cap, delegate, guardian, holding, otherWallet, owner, relayer, vault, wallet } from "./fixture.ts"
import * as OwnedWallet from "./generated/OwnedWallet.ts"
import { approvePermit2, authorizedToken, delegateNow, deployPermit2, issue } from "./payments.ts"

/** Deploys a vault with the relayer. */
const deployVault = async (chain: Chain, bytecode: Hex = GeoVault.bytecode): Promise<Address> => {
  const creation = concat([bytecode, encodeAbiParameters([{ type: "address" }], [owner.address])])
  const address = await chain.deploy(owner, creation)
  await chain.write(owner, address, GeoVault, "setRelayer", [relayer.address, true])
  return address
}

/** Delegates two wallets to the account contract of a vault. */
const delegateBoth = async (chain: Chain, delegate: Address): Promise<void> => {
  for (const signer of [wallet, guardian]) await delegateNow(chain, signer, delegate)
}

/** Deploys Permit2, two tokens, another vault and a contract wallet, and makes the wallets ready for every method. */
export const prepareSetting = async (chain: Chain): Promise<Setting> => {
  await deployPermit2(chain)
  const token = await issue(chain, authorizedToken())
  const otherToken = await issue(chain, authorizedToken())
  const otherVault = await deployVault(chain)
  const args = encodeAbiParameters([{ type: "address" }], [otherWallet.address])
  const contractWallet = await chain.deploy(owner, concat([OwnedWallet.bytecode, args]))
  for (const of of [token, otherToken]) {
    for (const to of [contractWallet, guardian.address]) await chain.write(owner, of, TestToken, "mint", [to, holding])
    await chain.write(owner, contractWallet, OwnedWallet, "approve", [of, Permit2.address])
    for (const signer of [wallet, otherWallet, guardian]) await approvePermit2(chain, signer, of)
  }
  await delegateBoth(chain, delegate)
  return { chain, vault, delegate, otherVault, token, otherToken, contractWallet }
}

/** The same setting for another vault. */
export const vaultSetting = async (setting: Setting, bytecode: Hex): Promise<Setting> => {
  const { chain, otherToken, token } = setting
  const address = await deployVault(chain, bytecode)
  for (const of of [token, otherToken]) await chain.write(owner, address, GeoVault, "setCap", [of, cap])
  await chain.write(owner, token, TestToken, "mint", [address, holding])
  const delegate = getContractAddress({ from: address, nonce: 1n })
  await delegateBoth(chain, delegate)
  return { ...setting, vault: address, delegate, otherVault: setting.vault }
}

/** The same setting for another account of the vault. */
export const accountSetting = async (setting: Setting, bytecode: Hex): Promise<Setting> => {
  const { chain, vault } = setting
  const args = encodeAbiParameters([{ type: "address" }], [vault])
  const delegate = await chain.deploy(owner, concat([bytecode, args]))
  await chain.write(owner, vault, GeoVault, "setDelegate", [delegate, true])
  await delegateBoth(chain, delegate)
  return { ...setting, delegate }
}
