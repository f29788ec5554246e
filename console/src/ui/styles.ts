// In this order: later ones lean on earlier ones. What only some pages need comes with the part that needs it.
import './fonts.css';
import './tokens.css';
import './base.css';
import './controls.css';
import './overlays.css';
import './parts.css';
import './table.css';
