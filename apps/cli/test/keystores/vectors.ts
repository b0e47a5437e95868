/** Keystores with the password `testpassword`. */

/** The key in all keystores of this file. */
export const secret = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"
const id = "3198bc9c-6672-5ab3-d995-4942343ae5b6"
/** A test vector of the Web3 Secret Storage definition. */
export const pbkdf2 = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"
  },
  id,
  version: 3
}
/** The other test vector, which takes seconds to decrypt. */
export const scrypt = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19"
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097"
  },
  id,
  version: 3
}

/** The same parameters as in the test vector, with a lower cost. */
export const lightScrypt = {
  ...scrypt,
  crypto: {
    ...scrypt.crypto,
    ciphertext: "e2b7617c65c4a8e9eea62e616a6f99231252ec16c82cccfed86d4aad932dcc8d",
    kdfparams: { ...scrypt.crypto.kdfparams, n: 65_536, p: 1 },
    mac: "a450ecccb86679a395aef2497de1875e7cbaa7c1cb7bae551000aab07dcdeb39"
  }
}
