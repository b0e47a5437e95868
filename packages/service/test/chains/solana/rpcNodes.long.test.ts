/** Every operation with every failure of a node. */
import "./rpcNodes.test.js"
