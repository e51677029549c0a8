export default () => globalThis.mongo.stop();
