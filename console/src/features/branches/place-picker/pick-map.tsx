import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { Icon } from '../../../ui/index.ts';
import { MapDrawing, MapTools, ZOOM_STEP } from '../map-drawing.tsx';
import { holding, inside, isSeen, pointAt, seenAt, type View, zoomAt } from '../map-view.ts';
import { type Place, type Point, placeOf, pointOf } from '../places.ts';
import { useMapGestures, within } from '../use-map-gestures.ts';
import { GAZETTEER, type NamedPlace } from './gazetteer.ts';
import { labelsIn, scaleOf } from './map-labels.ts';
import { placePickerWords } from './words.ts';

const percent = (part: number) => `${part * 100}%`;
const MIDDLE: Point = { x: 0.5, y: 0.5 };
/** A press of an arrow key moves the pin, with Shift the map, by this fraction of the view. */
const KEY_STEP = 0.03;
const PAN_STEP = 0.2;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const WHEEL_ZOOM = 0.002;

/** A map with one pin. A click sets the pin, pulling it moves it; the same by keys while the map has the focus. */
export function PickMap(props: {
  view: View;
  onShow(view: View): void;
  pin: Place | undefined;
  onPick(place: Place): void;
  branches: readonly NamedPlace[];
}): ReactNode {
  const t = useWords(placePickerWords);
  const language = useLanguage();
  const { view, onShow, pin, branches } = props;
  const hint = useId();
  const box = useRef<HTMLDivElement>(null);
  const pick = (point: Point) => props.onPick(placeOf(point));
  const gestures = useMapGestures({ view, onShow, onPick: pick });
  useWheel(box, view, onShow);
  const at = pin === undefined ? undefined : seenAt(pointOf(pin), view);

  function press(event: KeyboardEvent): void {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined && event.shiftKey) pan(arrow);
    else if (arrow !== undefined) movePin(arrow);
    else if (event.key === '+' || event.key === '=') onShow(zoomAt(view, 1 / ZOOM_STEP, zoomCentre(at)));
    else if (event.key === '-' || event.key === '_') onShow(zoomAt(view, ZOOM_STEP, zoomCentre(at)));
    else if (event.key === 'Enter' || event.key === ' ') pick(pointAt(MIDDLE, view));
    else return;
    event.preventDefault();
  }
  function pan({ x, y }: Point): void {
    onShow(inside({ ...view, ...pointAt({ x: 0.5 + x * PAN_STEP, y: 0.5 + y * PAN_STEP }, view) }));
  }
  function movePin({ x, y }: Point): void {
    // A pin that is not in sight starts in the middle, so that no key moves something unseen.
    const from = at !== undefined && isSeen(at) ? at : MIDDLE;
    const to = pointAt(at === undefined ? from : { x: from.x + x * KEY_STEP, y: from.y + y * KEY_STEP }, view);
    pick(to);
    if (!isSeen(seenAt(to, view))) onShow(inside(holding(to, MIDDLE, view.width)));
  }

  return (
    <div
      ref={box}
      className="map pick-map"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
      tabIndex={0}
      aria-label={t('map')}
      aria-describedby={hint}
      onKeyDown={press}
    >
      <p id={hint} className="visually-hidden">
        {t('keys')}
      </p>
      <MapDrawing view={view} {...gestures} />
      <div aria-hidden="true">
        {labelsIn(view, GAZETTEER).map(({ place, x, y }) => (
          <span
            key={place.id}
            className="pick-label"
            data-kind={place.kind}
            style={{ insetInlineStart: percent(x), insetBlockStart: percent(y) }}
          >
            <span dir="auto">{place[language]}</span>
          </span>
        ))}
        {branches.map((branch) => {
          const { x, y } = seenAt(pointOf(branch), view);
          if (!isSeen({ x, y })) return null;
          const style = { insetInlineStart: percent(x), insetBlockStart: percent(y) };
          return <span key={branch.id} className="pick-branch" style={style} title={branch[language]} />;
        })}
        <Scale view={view} />
      </div>
      {at !== undefined && isSeen(at) && <Pin at={at} onMove={(to) => pick(pointAt(to, view))} />}
      <MapTools view={view} onShow={onShow} />
    </div>
  );
}

/** By keys the pin stays in sight: it is what one zooms to. */
const zoomCentre = (pin: Point | undefined) => (pin !== undefined && isSeen(pin) ? pin : MIDDLE);

function Pin({ at, onMove }: { at: Point; onMove(to: Point): void }): ReactNode {
  const offset = useRef<Point | undefined>(undefined);
  const positionOf = (event: PointerEvent<HTMLElement>) => {
    const map = event.currentTarget.parentElement;
    return map === null ? at : within({ x: event.clientX, y: event.clientY }, map.getBoundingClientRect());
  };
  return (
    <span
      aria-hidden="true"
      className="pick-pin"
      style={{ insetInlineStart: percent(at.x), insetBlockStart: percent(at.y) }}
      onPointerDown={(event) => {
        const { x, y } = positionOf(event);
        offset.current = { x: at.x - x, y: at.y - y };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (offset.current === undefined) return;
        const { x, y } = positionOf(event);
        const clamped = (value: number) => Math.min(1, Math.max(0, value));
        onMove({ x: clamped(x + offset.current.x), y: clamped(y + offset.current.y) });
      }}
      onPointerUp={() => (offset.current = undefined)}
      onPointerCancel={() => (offset.current = undefined)}
    >
      <Icon name="pin" />
    </span>
  );
}

function Scale({ view }: { view: View }): ReactNode {
  const t = useWords(placePickerWords);
  const { number } = useFormat();
  const { km, part } = scaleOf(view);
  const text = km < 1 ? t('scaleMetres', { length: number(km * 1000) }) : t('scaleKm', { length: number(km) });
  return (
    <span className="pick-scale" style={{ inlineSize: percent(part) }}>
      <span dir="auto">{text}</span>
    </span>
  );
}

/** Zooms around the pointer. Not passive: the page must not scroll with it. */
function useWheel(box: { current: HTMLElement | null }, view: View, onShow: (view: View) => void): void {
  const latest = useRef({ view, onShow });
  latest.current = { view, onShow };
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const at = within({ x: event.clientX, y: event.clientY }, element.getBoundingClientRect());
      latest.current.onShow(zoomAt(latest.current.view, Math.exp(event.deltaY * WHEEL_ZOOM), at));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [box]);
}
