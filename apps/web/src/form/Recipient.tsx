/** The recipient: a connected wallet, a saved address or another address. */
import { useEffect, useRef, useState } from "react"
import type { Family } from "../config.js"
import { text } from "../language/language.js"
import { Icon } from "../ui/Icon.js"
import { usePage } from "../pageContext.js"
import { savedName, useAddressBook } from "./addressBook.js"
import { isName } from "./lookUpName.js"
import { FoundName, NamedRecipient } from "./NamedRecipient.js"
import { addressOfName, nameOfAddress } from "./nameOfAddress.js"
import type { PageForm } from "./usePageForm.js"

interface SavedAddressesProps {
  readonly family: Family
  /** The entered address, if it is valid. */
  readonly address: string | undefined
  readonly onPick: (address: string) => void
}

/** The saved addresses of a chain family, and a field to save the entered one under a name. */
const SavedAddresses = ({ address, family, onPick }: SavedAddressesProps) => {
  const { contacts, remove, save } = useAddressBook()
  const [name, setName] = useState<string>()
  const { form: words } = text
  const own = contacts.filter((contact) => contact.family === family)
  const add = () => {
    if (address === undefined || name === undefined || name.trim() === "") return
    save({ name: name.trim().slice(0, 40), address, family })
    setName(undefined)
  }
  return (
    <div className="contacts">
      {own.length > 0 && (
        <div className="chips" role="group" aria-label={words.saved}>
          {own.map((contact) => (
            <span key={contact.address} className="contact">
              <button type="button" title={contact.address} onClick={() => onPick(contact.address)}>
                {contact.name}
              </button>
              <button type="button" aria-label={words.removeName(contact.name)} onClick={() => remove(contact)}>
                <Icon name="close" />
              </button>
            </span>
          ))}
        </div>
      )}
      {address !== undefined &&
        savedName(family, address) === undefined &&
        (name === undefined ? (
          <button type="button" className="link" onClick={() => setName("")}>
            {words.saveAddress}
          </button>
        ) : (
          <div className="contact-name">
            <label>
              {words.addressName}
              <input
                value={name}
                maxLength={40}
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== "Enter") return
                  // Enter would submit the form.
                  event.preventDefault()
                  add()
                }}
              />
            </label>
            <button type="button" className="second" onClick={add}>
              {words.save}
            </button>
          </div>
        ))}
    </div>
  )
}

/** A button that opens a field in which the user can enter an address. */
export const Recipient = ({ form }: { readonly form: PageForm }) => {
  const { destination, errors, recipientName, set, values } = form
  const { config, wallets } = usePage()
  const [other, setOther] = useState(values.recipient === "" ? undefined : "kept")
  const input = useRef<HTMLInputElement>(null)
  // Focuses the field that the button opened.
  useEffect(() => {
    if (other === "opened") input.current?.focus()
  }, [other])
  if (other === undefined) {
    return (
      <div className="recipient">
        <button type="button" className="link" onClick={() => setOther("opened")}>
          {text.form.otherRecipient}
        </button>
      </div>
    )
  }
  const entered = values.recipient.trim()
  const own = destination && addressOfName({ config }, destination.family, entered)
  const named = own === undefined && config.names === true && isName(entered)
  const isValid = entered !== "" && errors.recipient === undefined
  const known =
    recipientName ??
    (isValid && destination ? nameOfAddress({ config, wallets }, destination.family, entered) : undefined)
  const example = destination?.family === "solana" ? text.form.solanaAddress : "0x…"
  return (
    <div className="recipient recipient-other">
      <label>
        {text.form.recipient}
        <input
          ref={input}
          value={values.recipient}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={errors.recipient !== undefined}
          aria-describedby="recipient-error"
          placeholder={config.names === true ? text.names.placeholder(example) : example}
          onChange={(event) => set("recipient", event.target.value)}
        />
      </label>
      <button
        type="button"
        className="link"
        onClick={() => {
          set("recipient", "")
          setOther(undefined)
        }}
      >
        {text.form.ownWallet}
      </button>
      <p className="field-error" id="recipient-error">
        {named || own !== undefined ? undefined : errors.recipient}
      </p>
      {known !== undefined && <p className="fine">{text.names.used(known)}</p>}
      {own !== undefined && destination !== undefined && (
        <FoundName name={own.name} address={own.address} chain={destination.name} onUse={form.setNamedRecipient} />
      )}
      {named && destination !== undefined && (
        <NamedRecipient name={entered} chain={destination} onUse={form.setNamedRecipient} />
      )}
      {destination !== undefined && (
        <SavedAddresses
          family={destination.family}
          address={isValid ? entered : undefined}
          onPick={(address) => set("recipient", address)}
        />
      )}
    </div>
  )
}
