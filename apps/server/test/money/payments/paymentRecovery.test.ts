import { paymentRecovery } from "./paymentRecovery.js"

paymentRecovery()
