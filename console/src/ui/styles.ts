// The order matters: later sheets override earlier ones. Sheets of single components are imported by the component,
// but for these of lists and dialogs: 0.5 kB together, and two requests of most pages.
import './fonts.css';
import './tokens.css';
import './base.css';
import './controls.css';
import './overlays.css';
import './parts.css';
import './table.css';
import './list/list-card.css';
import './list/list-filters.css';
import './list/bulk-bar.css';
import './pager.css';
import './conflict/conflict.css';
