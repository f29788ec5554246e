import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';

export function Tabs(props: {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
  selected?: string;
  onSelect?: (id: string) => void;
}): ReactNode {
  const { label, tabs, selected, onSelect } = props;
  return (
    <AriaTabs
      className="ui-tabs"
      {...(selected === undefined ? {} : { selectedKey: selected })}
      {...(onSelect === undefined ? {} : { onSelectionChange: (key) => onSelect(String(key)) })}
    >
      <TabList aria-label={label} className="ui-tab-list">
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="ui-tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
