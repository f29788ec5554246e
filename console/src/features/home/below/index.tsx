import type { ReactNode } from 'react';
import type { Range } from '../ranges.ts';
import { Activity } from './activity.tsx';
import { SalesBy } from './channels.tsx';
import { AtRisk, Products } from './tables.tsx';

/** What stands below the first screen, loaded after it. */
export default function Below({ range }: { range: Range }): ReactNode {
  return (
    <div className="home-columns">
      <div className="home-column">
        <Products range={range} />
        <AtRisk range={range} />
      </div>
      <div className="home-column">
        <SalesBy range={range} />
        <Activity range={range} />
      </div>
    </div>
  );
}
