/** With the globals of React Native, in every version of Node. */
import "./reactNative.test.js"
