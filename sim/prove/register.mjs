// Loaded before everything else in a process that plays histories with a defect.
import { register } from 'node:module'

const { default: defect } = await import(`./defects/${process.env.SIM_DEFECT}.mjs`)
register('./loader.mjs', import.meta.url, { data: defect.patches })
