import { foreignPayments, lostGasBudget } from "./foreignPayments.js"

foreignPayments()
lostGasBudget()
