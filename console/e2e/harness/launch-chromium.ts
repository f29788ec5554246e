import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** Chromium heeds the last `--disable-features` only, so playwright's own list is repeated. */
const DISABLED_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * Each window of the full browser loads two pages for the suggestions of its address bar (400 files, a renderer of their own), and each
 * page starts a renderer for the next one: together a third of the CPU time of a page load. The headless shell has neither.
 */
const DISABLED_UI = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
];

/**
 * Of a part that changes only that part is drawn anew, and where it ends inside a rounded corner the corner comes out a shade
 * (one of 255) off: by chance, and visible only to a comparison.
 */
const SAME_TO_THE_PIXEL = ['--force-color-profile=srgb', '--font-render-hinting=none', '--disable-partial-raster'];

let running: Promise<Browser> | undefined;

/** The browser of this worker, for all of its test files. It ends with the process of the worker, which closes its pipe. */
export async function workerChromium(): Promise<Browser> {
  if (running !== undefined && !(await running).isConnected()) running = undefined;
  running ??= launchChromium();
  return running;
}

function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      // Root has no sandbox, and some containers have a small /dev/shm.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...DISABLED_UI].join(',')}`,
      ...SAME_TO_THE_PIXEL,
    ],
  });
}
