// Types of the React API as the console shares it: that of Preact, so that entries need no types of React.
declare module 'react' {
  import React = require('preact/compat')
  export = React
}
declare module 'react-dom' {
  import ReactDOM = require('preact/compat')
  export = ReactDOM
}
declare module 'react-dom/client' {
  export * from 'preact/compat/client'
}
declare module 'react/jsx-runtime' {
  export * from 'preact/jsx-runtime'
}
