/** Parses account names. */

const visible = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u

/**
 * Parses a name into its stored form. Returns `undefined` if the name does not consist of 1 to 64 visible characters.
 */
export const parseAccountName = (text: string): string | undefined => {
  const name = text.normalize("NFC")
  return visible.test(name) && name.trim() === name ? name : undefined
}
