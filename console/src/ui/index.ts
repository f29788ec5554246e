// Large components are imported by their own path where they are used:
// command-palette, date-range, qr-code, virtual-table.

export { Button } from './button.tsx';
export type { Column } from './column.ts';
export { ConfirmDialog, Dialog } from './dialog.tsx';
export { ErrorState } from './error-state.tsx';
export { Checkbox, Field } from './field.tsx';
export { Icon, type IconName } from './icon.tsx';
export { Loaded } from './loaded.tsx';
export { Menu } from './menu.tsx';
export type { MenuEntry, MenuGroup } from './menu-group.ts';
export { Pager } from './pager.tsx';
export { Badge, Card, EmptyState, Facts, Kbd, Notice, Page, Skeleton, Skeletons, type Tone } from './parts.tsx';
export { SearchField } from './search-field.tsx';
export { Segments } from './segments.tsx';
export { Select } from './select.tsx';
export { useShortcuts } from './shortcuts.ts';
export { DataTable } from './table.tsx';
export { Tabs } from './tabs.tsx';
export { showToast, Toasts, toasts } from './toast.tsx';
export { orderTone, paymentTone } from './tones.ts';
