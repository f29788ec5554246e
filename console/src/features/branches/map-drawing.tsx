import type { ReactNode, SVGProps } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Button } from '../../ui/index.ts';
import './map.css';
import { AROUND_PATH, BORDERS_PATH, HOME_PATH, MAP_HEIGHT, MAP_WIDTH } from './map-paths.gen.ts';
import { LEAST_WIDTH, SHAPE, type View, zoomAt } from './map-view.ts';
import { branchesWords } from './words.ts';

export const ZOOM_STEP = 1.8;

/** The drawn part of a map. Names and markers are HTML above it, so that they keep their size. */
export function MapDrawing({ view, children, ...props }: { view: View } & SVGProps<SVGSVGElement>): ReactNode {
  const height = view.width / SHAPE;
  return (
    <svg
      className="map-drawing"
      viewBox={`${view.x - view.width / 2} ${view.y - height / 2} ${view.width} ${height}`}
      aria-hidden="true"
      {...props}
    >
      <rect className="map-sea" width={MAP_WIDTH} height={MAP_HEIGHT} />
      <path className="map-around" d={AROUND_PATH} />
      <path className="map-borders" d={BORDERS_PATH} />
      <path className="map-home" d={HOME_PATH} />
      {children}
    </svg>
  );
}

export function MapTools(props: { view: View; onShow(view: View): void; children?: ReactNode }): ReactNode {
  const t = useWords(branchesWords);
  const { view, onShow } = props;
  return (
    <div className="map-tools">
      <Button
        size="small"
        icon="plus"
        aria-label={t('zoomIn')}
        isDisabled={view.width <= LEAST_WIDTH}
        onPress={() => onShow(zoomAt(view, 1 / ZOOM_STEP))}
      />
      <Button
        size="small"
        icon="minus"
        aria-label={t('zoomOut')}
        isDisabled={view.width >= MAP_WIDTH}
        onPress={() => onShow(zoomAt(view, ZOOM_STEP))}
      />
      {props.children}
    </div>
  );
}
