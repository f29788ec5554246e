import type { Schemas } from '@dukkan/sdk';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useLanguage, useName, useWords } from '../../i18n/index.ts';
import { Button } from '../../ui/index.ts';
import './map.css';
import { MapDrawing, MapTools } from './map-drawing.tsx';
import { COUNTRY_WIDTH, fit, inside, isSeen, LEAST_WIDTH, middleOf, seenAt, together, type View } from './map-view.ts';
import { CITIES, KINGDOM, NAMED_ON_MAP, type Place, type Point, pointOf, unitsOf } from './places.ts';
import { useMapGestures } from './use-map-gestures.ts';
import { branchesWords } from './words.ts';

type Branch = Schemas['Branch'];
type Around = Place & { km: number };
type Marked = { branch: Branch; point: Point };

/** A city and the area around it. */
const CITY_WIDTH = 24;
const percent = (part: number) => `${part * 100}%`;

/** Branches by where they are. A map does not turn with the language: it is laid out left to right in both. */
export function BranchMap(props: {
  branches: readonly Branch[];
  around?: Around | undefined;
  highlighted?: string | undefined;
  onHighlight?: (id: string | undefined) => void;
  /** Markers lead nowhere: the page is the branch's own. */
  still?: boolean;
}): ReactNode {
  const t = useWords(branchesWords);
  const { branches, around, highlighted, onHighlight, still = false } = props;
  const marked = useMemo(
    () => branches.flatMap((branch) => (branch.location === null ? [] : [{ branch, point: pointOf(branch.location) }])),
    [branches],
  );
  const whole = useMemo(() => wholeView(marked, around), [marked, around]);
  const [chosen, setChosen] = useState<{ of: View; view: View } | undefined>(undefined);
  // Other branches are another map: what was chosen for those before is forgotten.
  const view = chosen?.of === whole ? chosen.view : whole;
  const show = (next: View) => setChosen({ of: whole, view: inside(next) });
  const gestures = useMapGestures({ view, onShow: show });
  return (
    <section className="map" aria-label={t('map')}>
      <MapDrawing view={view} {...gestures}>
        {around !== undefined && <Circle around={around} />}
      </MapDrawing>
      <Cities view={view} />
      <ul className="map-markers">
        {together(marked, view).map((group) => (
          <Marker
            key={group[0]?.branch.id}
            group={group}
            view={view}
            isHighlighted={group.some(({ branch }) => branch.id === highlighted)}
            onNearer={() =>
              show(
                fit(
                  group.map(({ point }) => point),
                  LEAST_WIDTH * 4,
                ),
              )
            }
            still={still}
            {...(onHighlight === undefined ? {} : { onHighlight })}
          />
        ))}
      </ul>
      <MapTools view={view} onShow={show}>
        {chosen?.of === whole && (
          <Button size="small" onPress={() => setChosen(undefined)}>
            {t('zoomAll')}
          </Button>
        )}
      </MapTools>
    </section>
  );
}

function wholeView(marked: readonly Marked[], around: Around | undefined): View {
  const points = marked.map(({ point }) => point);
  if (around === undefined) return fit([...points, ...KINGDOM.map(pointOf)], COUNTRY_WIDTH);
  const { x, y } = pointOf(around);
  const far = unitsOf(around.km, around);
  return fit([...points, { x: x - far, y: y - far }, { x: x + far, y: y + far }], CITY_WIDTH);
}

function Circle({ around }: { around: Around }): ReactNode {
  const { x, y } = pointOf(around);
  const radius = unitsOf(around.km, around);
  return (
    <>
      <circle className="map-circle" cx={x} cy={y} r={radius} />
      <circle className="map-middle" cx={x} cy={y} r={radius / 40} />
    </>
  );
}

function Cities({ view }: { view: View }): ReactNode {
  const language = useLanguage();
  return (
    <div aria-hidden="true">
      {CITIES.filter(({ en }) => view.width < COUNTRY_WIDTH / 5 || NAMED_ON_MAP.includes(en)).map((city) => {
        const { x, y } = seenAt(pointOf(city), view);
        if (!isSeen({ x, y })) return null;
        return (
          <span
            key={city.en}
            className="map-city"
            style={{ insetInlineStart: percent(x), insetBlockStart: percent(y) }}
          >
            {city[language]}
          </span>
        );
      })}
    </div>
  );
}

function Marker(props: {
  group: readonly Marked[];
  view: View;
  isHighlighted: boolean;
  still: boolean;
  onNearer(): void;
  onHighlight?: (id: string | undefined) => void;
}): ReactNode {
  const t = useWords(branchesWords);
  const name = useName();
  const { group, view, isHighlighted, onNearer, onHighlight, still } = props;
  const { x, y } = seenAt(middleOf(group.map(({ point }) => point)), view);
  const [first] = group;
  if (first === undefined || !isSeen({ x, y })) return null;
  const place = { insetInlineStart: percent(x), insetBlockStart: percent(y) };
  const { branch } = first;
  const title = name(branch) || branch.iv_id;
  const common = {
    className: 'map-marker',
    style: place,
    'data-highlighted': isHighlighted || undefined,
    'data-open': group.some((one) => one.branch.is_open) || undefined,
    'data-inactive': group.every((one) => !one.branch.active) || undefined,
    'data-side': x > 0.6 ? 'before' : 'after',
  };
  if (group.length > 1) {
    return (
      <li>
        <button
          type="button"
          {...common}
          data-several
          onClick={onNearer}
          aria-label={t('together', { count: group.length })}
        >
          {group.length}
        </button>
      </li>
    );
  }
  if (still) {
    return (
      <li>
        <span {...common} data-highlighted>
          <span className="visually-hidden">{title}</span>
        </span>
      </li>
    );
  }
  const over = { onPointerEnter: () => onHighlight?.(branch.id), onFocus: () => onHighlight?.(branch.id) };
  const out = { onPointerLeave: () => onHighlight?.(undefined), onBlur: () => onHighlight?.(undefined) };
  return (
    <li>
      <Link to="/branches/$ivId" params={{ ivId: branch.iv_id }} {...common} {...over} {...out}>
        <span className="map-name">
          <span dir="auto">
            {title}
            <span className="soft"> · {t(branch.is_open ? 'open' : 'closed')}</span>
          </span>
        </span>
      </Link>
    </li>
  );
}
