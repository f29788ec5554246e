import './ui/styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { createQueries, resumeSupport, startSession } from './platform/index.ts';
import { refuseSecondSubmit } from './ui/refuse-second-submit.ts';

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the console');

void startSession(resumeSupport);
refuseSecondSubmit();
// For the pages in front of the console, which read nothing. Each signed-in scope has a client of its own.
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={createQueries()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
