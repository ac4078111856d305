# nothing at all
