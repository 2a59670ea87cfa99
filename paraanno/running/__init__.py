"""Starting and stopping the processes of an instance."""
