import './ui/styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { keepScroll } from './app/keep-scroll.ts';
import { router } from './app/router.tsx';
import {
  createQueries,
  currentSession,
  recordVisits,
  resumeSupport,
  startSession,
  whenSessionChanges,
} from './platform/index.ts';
import { refuseSecondSubmit } from './ui/refuse-second-submit.ts';

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the console');

void startSession(resumeSupport);
refuseSecondSubmit();
keepScroll(router);
recordVisits(router);
// Rendered when the page is there: while the router still changes, React renders everything a second time and in one task, 60 ms.
const loaded = router.load();
// Until the session is known, the page shows the frame of index.html; rendering another placeholder would delay the page.
const stop = whenSessionChanges(() => render(place));
render(place);

function render(container: HTMLElement): void {
  if (currentSession().phase === 'starting') return;
  stop();
  const renderAll = () => {
    const root = createRoot(container);
    // Rendered in slices: in one task the first render of a list page blocked input for 130 ms.
    startTransition(() =>
      root.render(
        <StrictMode>
          {/* For the pages in front of the console, which read nothing. Each signed-in scope has a client of its own. */}
          <QueryClientProvider client={createQueries()}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </StrictMode>,
      ),
    );
  };
  void loaded.then(renderAll, renderAll);
}
