/** Finds mistyped EVM addresses: capital letters are a checksum (EIP-55), which a wrong digit does not fit. */
import { useQuery } from "@tanstack/react-query"

/** Whether an address is written in both cases, and so says something of itself that can be wrong. */
export const hasChecksum = (address: string): boolean =>
  /^0x[0-9a-fA-F]{40}$/.test(address) && /[a-f]/.test(address.slice(2)) && /[A-F]/.test(address)

/** What the check came to. */
interface Typo {
  readonly checking: boolean
  /** Why the address is not taken. */
  readonly error: string | undefined
}

/** Checks an address that a person typed; the code that does is loaded only where there is something to check. */
export const useTypo = (address: string): Typo => {
  const enabled = hasChecksum(address)
  const { data, isError } = useQuery({
    queryKey: ["checksum", address],
    queryFn: async () => (await import("../wallets/evmSigning.js")).isChecksummed(address),
    enabled,
    networkMode: "always",
    staleTime: Infinity
  })
  if (!enabled) return { checking: false, error: undefined }
  if (isError) return { checking: false, error: "This address could not be checked. Reload the page and try again." }
  return {
    checking: data === undefined,
    error: data === false ? "This address has a typing error: its capital letters do not fit." : undefined
  }
}
