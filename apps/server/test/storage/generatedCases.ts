/** The cases of the store contract that repeat many generated values. On PostgreSQL, only the long tests run them. */
const names = [
  "Store.accept stores any amounts, fees and times without loss",
  "Store.accept stores any operation without loss",
  "concurrent acceptances have the same results as acceptances one after the other",
  "the reserved amounts equal the outputs of the swaps that have a reservation"
]

export const isGenerated = ({ name }: { readonly name: string }): boolean => names.includes(name)
