// The order matters: later sheets override earlier ones. Sheets of single components are imported by the component.
import './fonts.css';
import './tokens.css';
import './base.css';
import './controls.css';
import './overlays.css';
import './parts.css';
import './table.css';
