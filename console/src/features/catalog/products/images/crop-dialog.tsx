import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { commonWords, useWords } from '../../../../i18n/index.ts';
import { Button, Dialog } from '../../../../ui/index.ts';
import { CENTRED, type Crop, MAX_ZOOM, moved, paint, within } from './crop.ts';
import { imagesWords } from './words.ts';

const PREVIEW_PIXELS = 320;
const STEP_PIXELS = 12;
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-STEP_PIXELS, 0],
  ArrowRight: [STEP_PIXELS, 0],
  ArrowUp: [0, -STEP_PIXELS],
  ArrowDown: [0, STEP_PIXELS],
};

/** Chooses the square of a picture that is uploaded. */
export function CropDialog(props: {
  picture: ImageBitmap;
  isBusy: boolean;
  onUse(crop: Crop): void;
  onClose(): void;
}): ReactNode {
  const { picture, isBusy, onUse, onClose } = props;
  const t = useWords(imagesWords);
  const common = useWords(commonWords);
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoomId = useId();
  const [crop, setCrop] = useState(CENTRED);
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, picture, crop);
  }, [picture, crop]);

  function move(byX: number, byY: number): void {
    const side = canvas.current?.clientWidth ?? PREVIEW_PIXELS;
    setCrop((now) => moved(picture, now, byX, byY, side));
  }
  function drag(event: PointerEvent): void {
    if (event.buttons === 1) move(event.movementX, event.movementY);
  }
  function press(event: KeyboardEvent): void {
    const by = ARROWS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(...by);
  }
  return (
    <Dialog
      title={t('cropTitle')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button look="primary" isPending={isBusy} onPress={() => onUse(crop)}>
            {t('use')}
          </Button>
        </>
      }
    >
      <div className="product-crop">
        <canvas
          ref={canvas}
          width={PREVIEW_PIXELS}
          height={PREVIEW_PIXELS}
          role="img"
          aria-label={t('cropArea')}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onKeyDown={press}
        />
        <label htmlFor={zoomId} className="ui-label">
          {t('zoom')}
        </label>
        <input
          id={zoomId}
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => setCrop(within(picture, { ...crop, zoom: Number(event.target.value) }))}
        />
        <p className="soft small">{t('cropHint')}</p>
      </div>
    </Dialog>
  );
}
