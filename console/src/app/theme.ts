import { Badge, Button, createTheme, Modal } from '@mantine/core';

export const theme = createTheme({
  cursorType: 'pointer',
  components: {
    Badge: Badge.extend({ defaultProps: { radius: 'sm', tt: 'none' } }),
    Button: Button.extend({ defaultProps: { size: 'compact-sm' } }),
    // A scroll lock would write a style element, which the content security policy forbids.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
  },
});
