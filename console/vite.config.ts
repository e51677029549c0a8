import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { checkChunkBudget } from './chunk-budget.ts';

/** The service serves the result under /console. Names of built files hold a hash of their content. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), checkChunkBudget()],
  build: {
    target: 'es2022',
    // The content security policy of the console forbids inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
