import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { holding, inside, pointAt, type View, zoomAt } from './map-view.ts';
import type { Point } from './places.ts';

type Options = {
  view: View;
  onShow(view: View): void;
  /** A click or tap at this point of the map. With it, fingers pan and pinch the map; without it, they scroll the page. */
  onPick?: (point: Point) => void;
};
type Start = { view: View; at: Point; spread: number; hasMoved: boolean };

/** A pointer that moved less than this was a click. */
const CLICK_PIXELS = 5;
const DOUBLE_CLICK_ZOOM = 1 / 1.8;

/** Pan by pulling, zoom by two fingers, pick by a click. The wheel needs a listener of its own: React's cannot stop the page from scrolling. */
export function useMapGestures({ view, onShow, onPick }: Options) {
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Start | undefined>(undefined);
  const begin = (hasMoved: boolean) => {
    const [first, second] = [...pointers.current.values()];
    if (first === undefined) start.current = undefined;
    else start.current = { view, at: middle(first, second), spread: spread(first, second), hasMoved };
  };
  const end = (event: PointerEvent<SVGSVGElement>) => {
    if (!pointers.current.delete(event.pointerId)) return;
    begin(true);
  };
  return {
    onPointerDown(event: PointerEvent<SVGSVGElement>) {
      if (event.button !== 0 || (event.pointerType === 'touch' && onPick === undefined)) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      event.currentTarget.setPointerCapture(event.pointerId);
      begin(pointers.current.size > 1);
    },
    onPointerMove(event: PointerEvent<SVGSVGElement>) {
      const from = start.current;
      if (from === undefined || !pointers.current.has(event.pointerId)) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const [first, second] = [...pointers.current.values()];
      if (first === undefined) return;
      const now = middle(first, second);
      if (!from.hasMoved && Math.hypot(now.x - from.at.x, now.y - from.at.y) < CLICK_PIXELS) return;
      from.hasMoved = true;
      const box = event.currentTarget.getBoundingClientRect();
      const width = from.view.width * (second === undefined ? 1 : from.spread / Math.max(1, spread(first, second)));
      onShow(inside(holding(pointAt(within(from.at, box), from.view), within(now, box), width)));
    },
    onPointerUp(event: PointerEvent<SVGSVGElement>) {
      const from = start.current;
      const isClick = pointers.current.size === 1 && from?.hasMoved === false;
      if (isClick) onPick?.(pointAt(within(from.at, event.currentTarget.getBoundingClientRect()), view));
      end(event);
    },
    onPointerCancel: end,
    onDoubleClick(event: MouseEvent<SVGSVGElement>) {
      const box = event.currentTarget.getBoundingClientRect();
      onShow(zoomAt(view, DOUBLE_CLICK_ZOOM, within({ x: event.clientX, y: event.clientY }, box)));
    },
  };
}

/** A position of the window as a fraction of the map's box. */
export function within({ x, y }: Point, box: DOMRect): Point {
  return { x: (x - box.x) / box.width, y: (y - box.y) / box.height };
}

const middle = (first: Point, second = first): Point => ({ x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 });
const spread = (first: Point, second = first) => Math.hypot(first.x - second.x, first.y - second.y);
