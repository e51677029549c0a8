// The content security policy of the page allows only style elements with its nonce. Scalar sets the nonce on its main
// style sheet alone, so this script sets it on every other style element that Scalar creates.
const { nonce } = document.querySelector('meta[property="csp-nonce"]');
const createElement = Document.prototype.createElement;

Document.prototype.createElement = function (name, options) {
  const element = createElement.call(this, name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};
