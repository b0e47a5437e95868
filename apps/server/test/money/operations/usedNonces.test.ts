import { usedNonces } from "./usedNonces.js"

usedNonces("SQLite")
