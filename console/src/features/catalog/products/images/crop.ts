/** The visible square of a picture: its centre as parts of width and height, and how much it is enlarged. */
export type Crop = { x: number; y: number; zoom: number };
type Size = { width: number; height: number };

export const CENTRED: Crop = { x: 0.5, y: 0.5, zoom: 1 };
export const MAX_ZOOM = 4;
/** Twice the size of the largest picture shown, for dense screens; never more than the original has. */
const OUTPUT_PIXELS = 1200;
const QUALITY = 0.88;

/** Side of the visible square in pixels of the picture. */
const sideOf = ({ width, height }: Size, zoom: number) => Math.min(width, height) / zoom;

/** Moves the square so that it stays within the picture. */
export function within(size: Size, { x, y, zoom }: Crop): Crop {
  const clampedZoom = Math.min(MAX_ZOOM, Math.max(1, zoom));
  const side = sideOf(size, clampedZoom);
  const clamp = (part: number, length: number) => {
    const margin = side / 2 / length;
    return Math.min(1 - margin, Math.max(margin, part));
  };
  return { x: clamp(x, size.width), y: clamp(y, size.height), zoom: clampedZoom };
}

/** By pixels of a preview of this side. */
export function moved(size: Size, crop: Crop, byX: number, byY: number, previewSide: number): Crop {
  const scale = sideOf(size, crop.zoom) / previewSide;
  return within(size, { ...crop, x: crop.x - (byX * scale) / size.width, y: crop.y - (byY * scale) / size.height });
}

export function paint(canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, zoom }: Crop): void {
  const side = sideOf(picture, zoom);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const [left, top] = [x * picture.width - side / 2, y * picture.height - side / 2];
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** A WebP, or what the browser makes instead (PNG). Also drops the place and time that cameras write into their files. */
export async function cropped(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.round(Math.min(OUTPUT_PIXELS, sideOf(picture, crop.zoom)));
  paint(canvas, picture, crop);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no image')) : resolve(blob)), 'image/webp', QUALITY);
  });
}
