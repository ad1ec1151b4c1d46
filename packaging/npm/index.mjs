// The functions of index.js for import statements.
export { getLoadablePath, load, version } from './index.js'
