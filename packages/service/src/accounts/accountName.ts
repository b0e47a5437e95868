/** What accounts may be called: names that somebody can read in a list. */

const visible = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u

/** The name in the one form in which it is stored, if it is one. */
export const parseAccountName = (text: string): string | undefined => {
  const name = text.normalize("NFC")
  return visible.test(name) && name.trim() === name ? name : undefined
}
